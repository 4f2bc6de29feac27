/** Why it is so: the explanation, quoting this run; three questions; what differs in CUDA; what WebGPU cannot do; what to try; the reader's own profile. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { explain, type Declaration } from '../../experiments/declare'
import { formatParam } from '../../experiments/experiment'
import { loadDeclaration, type Meta } from '../../experiments/metas'
import type { CudaSide as CudaWords, ExperimentLesson } from '../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'
import { addressOf } from '../../state/url'
import { Inline, Prose } from '../prose/Prose'
import { createQuote } from '../quote'
import { StoryPanel } from './StoryPanel'
import { NextLesson, Quoted, Sources, WhyQuestions } from './why-parts'
import type { LessonRun } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'

const CudaSide = lazy(async () => ({ default: (await import('./CudaSide')).CudaSide }))

/** The words of an experiment's verdicts. */
function useDeclaration(meta: Meta): Declaration | 'loading' | 'failed' {
  const [declaration, setDeclaration] = useState<Declaration | 'loading' | 'failed'>('loading')
  useEffect(() => {
    let isWanted = true
    const take = (found: Declaration | 'failed') => {
      if (isWanted) setDeclaration(found)
    }
    inBackground(
      loadDeclaration(meta).then(take, (thrown: unknown) => {
        take('failed')
        throw thrown
      }),
    )
    return () => {
      isWanted = false
    }
  }, [meta])
  return declaration
}

const Explanation = ({
  declaration,
  run,
}: {
  readonly declaration: ReturnType<typeof useDeclaration>
  readonly run: RunState | null
}) => {
  const text = useMemo(
    () =>
      run?.report && typeof declaration === 'object'
        ? explain(declaration, createQuote(run.report, run.origin))
        : null,
    [run, declaration],
  )
  return (
    <section aria-labelledby="explanation" className="lesson-section" data-testid="explanation">
      <h2 id="explanation" {...SCREEN_START}>
        What happened
      </h2>
      {text ? (
        <Prose text={text} />
      ) : (
        <p className="quiet">
          {!run?.report
            ? 'This part quotes your own run. It is written once there is one.'
            : declaration === 'loading'
              ? 'Loading the explanation.'
              : 'The explanation could not be loaded.'}
        </p>
      )}
    </section>
  )
}

const Cuda = ({ words, run }: { readonly words: CudaWords; readonly run: RunState | null }) => {
  const [open, setOpen] = useState(false)
  const own = useMemo(() => (run?.report ? createQuote(run.report, run.origin) : null), [run])
  return (
    <section aria-labelledby="cuda" className="lesson-section">
      <h2 id="cuda">The same in PyTorch on CUDA</h2>
      <Prose text={words.intro} />
      {open ? (
        <Suspense fallback={<p className="quiet">Loading the recordings.</p>}>
          <CudaSide words={words} own={own} />
        </Suspense>
      ) : (
        <div className="button-row no-print">
          <button
            type="button"
            className="button"
            onClick={() => {
              setOpen(true)
            }}
          >
            Open the recorded profiles
          </button>
        </div>
      )}
    </section>
  )
}

const WhyRest = ({
  lesson,
  state,
  run,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
  readonly run: RunState | null
}) => (
  <>
    <WhyQuestions lesson={lesson} answers={state.progress.answers} names={state.meta.names} />
    <section aria-labelledby="carries-over" className="lesson-section">
      <h2 id="carries-over">And in CUDA?</h2>
      <Prose text={lesson.carriesOver} />
      <Quoted lesson={lesson} />
    </section>
    {lesson.cuda && <Cuda words={lesson.cuda} run={run} />}
    <section aria-labelledby="cannot" className="lesson-section lesson-cannot">
      <h2 id="cannot">What WebGPU cannot do here</h2>
      <Prose text={lesson.cannot} />
    </section>
    <section aria-labelledby="try-next" className="lesson-section">
      <h2 id="try-next">What to try</h2>
      <ul className="try-next">
        {lesson.tryNext.map(({ label, values, why }) => (
          <li key={label}>
            <a
              href={addressOf({
                page: 'run',
                id: lesson.experiment,
                query: Object.fromEntries(
                  Object.entries({ ...lesson.values, ...values }).map(([name, value]) => [
                    name,
                    formatParam(value),
                  ]),
                ),
              })}
            >
              {label}
            </a>
            <p>
              <Inline text={why} />
            </p>
          </li>
        ))}
      </ul>
    </section>
    <Sources lesson={lesson} />
    <NextLesson lesson={lesson} />
  </>
)

export const WhyScreen = ({
  lesson,
  state,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}) => {
  const run = state.ended(FIRST_RUN)
  const declaration = useDeclaration(state.meta)
  return (
    <div className={`why ${run ? 'why-beside' : ''}`}>
      {/* The explanation quotes the picture, and its words light parts of it: it stays in view. */}
      {run && (
        <aside className="why-picture" aria-label="What was measured">
          <StoryPanel lesson={lesson} meta={state.meta} run={run} withCode={false} />
        </aside>
      )}
      <Explanation declaration={declaration} run={run} />
      {/* Below what is still to grow nothing stands: it would move away from under a press, or out of view with the focus in it. */}
      {(declaration !== 'loading' || !run?.report) && <WhyRest lesson={lesson} state={state} run={run} />}
    </div>
  )
}
