/** Why it is so, in at most five cards: what holds in PyTorch, and what happened here, quoting this run; then three questions. */
import { useCallback, useMemo } from 'react'
import type { Declaration } from '../../../experiments/declare/experiment'
import { explanationOf } from '../../../experiments/declare/judge'
import { loadDeclaration } from '../../../experiments/catalog'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, lessonRoute } from '../../state/url'
import { Prose } from '../prose/Prose'
import { createQuote } from '../format-rare'
import { useLoaded, type Loaded } from '../use-loaded'
import { Cards, type PicturedRuns } from './Cards'
import { expectationsOf, type Expectation } from './expectations'
import { NoRunYet } from './NoRunYet'
import { AskedElsewhere, Fold, NextLesson, Quoted, Sources, WhyQuestions } from './why-parts'
import type { ScreenProps } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'
import { Inline, Quantities } from '../prose/Inline'
import { HeadRow } from '../ScrollTable'

interface ExpectedRowsProps {
  readonly lesson: Pick<ExperimentLesson, 'id' | 'steps'>
  readonly rows: readonly Expectation[]
}

const ExpectedRows = ({ lesson, rows }: ExpectedRowsProps) =>
  rows.map(({ at, asked, expected, was, more }) => (
    <tr key={`${at} ${asked}`}>
      <th scope="row">
        <a
          href={addressOf(
            at === FIRST_RUN ? lessonRoute(lesson.id, 'see') : lessonRoute(lesson.id, 'change', at),
          )}
        >
          {lesson.steps.find(({ id }) => id === at)?.heading ?? 'The first question'}
        </a>
        <span className="small quiet">
          <Inline text={asked} />
        </span>
      </th>
      <td className="bold">
        <Quantities text={expected} />
      </td>
      <td className="bold">
        {was === null ? (
          <span className="quiet regular">No run that answers it is kept.</span>
        ) : (
          <Quantities text={was} />
        )}
        {more !== '' && (
          <span className="small quiet regular">
            <Quantities text={more} />
          </span>
        )}
      </td>
    </tr>
  ))

interface WithRuns extends ScreenProps {
  readonly runs: PicturedRuns
}

const Explanation = ({
  lesson,
  state,
  declaration,
  runs,
}: WithRuns & { readonly declaration: Loaded<Declaration> }) => {
  const { run } = runs
  const explanation = useMemo(
    () =>
      run?.report && declaration.value
        ? explanationOf(declaration.value, createQuote(run.report, run.origin))
        : null,
    [run, declaration],
  )
  return (
    <section aria-labelledby="explanation" className="lesson-section stack-16" data-testid="explanation">
      <h2 id="explanation">What happened in the browser</h2>
      {explanation ? (
        <>
          {explanation.from.length > 0 && <Prose className="why-note small quiet" text={explanation.from} />}
          <Cards cards={explanation.cards} reading={explanation.reading} runs={runs} />
          {explanation.machine.length > 0 && (
            <Prose className="why-note small quiet" text={explanation.machine} />
          )}
        </>
      ) : !run?.report ? (
        <NoRunYet
          {...{ lesson, state }}
          words="This part quotes the lesson’s own run, and there is none here yet."
        />
      ) : (
        <p className="quiet">
          {declaration.fault ? 'The explanation could not be loaded.' : 'Loading the explanation.'}
        </p>
      )}
    </section>
  )
}

const InPyTorch = ({ lesson, runs }: Omit<WithRuns, 'state'>) => (
  <section aria-labelledby="in-pytorch" className="lesson-section stack-16">
    <h2 id="in-pytorch" {...SCREEN_START}>
      In PyTorch
    </h2>
    <Cards cards={lesson.inPyTorch} runs={runs} areFolded />
    <Quoted lesson={lesson} />
  </section>
)

const WhyRest = ({ lesson, state, runs }: WithRuns) => (
  <>
    <WhyQuestions lesson={lesson} answers={state.progress.answers} names={state.meta.names} />
    <div className="folds cluster-8">
      <Fold id="cannot" heading="What WebGPU cannot do here">
        <Cards cards={lesson.cannot} runs={runs} />
      </Fold>
      <AskedElsewhere lesson={lesson} />
      <Sources lesson={lesson} />
    </div>
    <NextLesson lesson={lesson} />
  </>
)

/** What was expected before each run, beside what was measured. Before the explanation: what differs from it is what it explains. */
const WhatYouExpected = ({ lesson, state }: ScreenProps) => {
  const { meta, progress, ended, isOpened } = state
  const rows = expectationsOf(lesson, meta, progress, ended)
  return (
    isOpened &&
    rows.length > 0 && (
      <section aria-labelledby="expected" className="lesson-section stack-16">
        <h2 id="expected" {...SCREEN_START}>
          What you expected
        </h2>
        <div className="expected container">
          <table className="two-under" aria-labelledby="expected" data-testid="expected">
            <HeadRow columns={['what was asked', 'you expected', 'it was']} />
            <tbody>
              <ExpectedRows {...{ lesson, rows }} />
            </tbody>
          </table>
        </div>
      </section>
    )
  )
}

export const WhyScreen = ({ lesson, state }: ScreenProps) => {
  const run = state.ended(FIRST_RUN)
  const { meta } = state
  const declaration = useLoaded(useCallback(() => loadDeclaration(meta), [meta]))
  const runs: PicturedRuns = { lesson, run }
  return (
    <div className="why stack-32">
      <WhatYouExpected {...{ lesson, state }} />
      <InPyTorch {...{ lesson, runs }} />
      <Explanation {...{ lesson, state, declaration, runs }} />
      {/* Below what is still to grow nothing stands: it would move away from under a press, or out of view with the focus in it. */}
      {(declaration.value || declaration.fault || !run?.report) && <WhyRest {...{ lesson, state, runs }} />}
    </div>
  )
}
