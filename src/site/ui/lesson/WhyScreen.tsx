/**
 * Why it is so, in at most five cards: what holds in PyTorch, and what happened here, quoting this
 * run; then three questions.
 */
import { useCallback, useMemo } from 'react'
import type { Declaration } from '../../../experiments/declare/experiment'
import { explanationOf } from '../../../experiments/declare/judge'
import { loadDeclaration } from '../../../experiments/catalog'
import { FIRST_RUN } from '../../state/lesson-runs'
import { Prose } from '../prose/Prose'
import { formatMetric } from '../format'
import { useLoaded, type Loaded } from '../use-loaded'
import { Cards, type PicturedRuns } from './Cards'
import { NoRunYet } from './NoRunYet'
import { AskedElsewhere, Fold, NextLesson, Quoted, Sources, WhyQuestions } from './why-parts'
import type { ScreenProps } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'

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
        ? explanationOf(declaration.value, { report: run.report, origin: run.origin }, formatMetric)
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
    <Cards cards={lesson.inPyTorch} runs={runs} />
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

export const WhyScreen = ({ lesson, state }: ScreenProps) => {
  const run = state.ended(FIRST_RUN)
  const { meta } = state
  const declaration = useLoaded(useCallback(() => loadDeclaration(meta), [meta]))
  const runs: PicturedRuns = { lesson, run }
  return (
    <div className="why stack-32">
      <InPyTorch {...{ lesson, runs }} />
      <Explanation {...{ lesson, state, declaration, runs }} />
      {/* Below what is still to grow nothing stands: it would move away from under a press, or out of view with the focus in it. */}
      {(declaration.value || declaration.fault || !run?.report) && <WhyRest {...{ lesson, state, runs }} />}
    </div>
  )
}
