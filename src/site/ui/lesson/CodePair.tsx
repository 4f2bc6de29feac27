/** What runs, and the same in PyTorch: side by side where there is room, one at a time where there is not. */
import { Suspense, useState } from 'react'
import type { Meta } from '../../../experiments/catalog'
import type { ExperimentLesson } from '../../../lessons/lesson'
import type { ProgramLine } from '../../state/program-lines'
import type { RunState } from '../../state/run-store'
import { CodeView } from '../source/CodeView'
import { RunningProgram } from '../source/RunningProgram'
import { usePyTorch } from '../source/use-highlighted'
import { Tabs } from '../Tabs'

interface CodePairProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly run: RunState
  /** The line that made the call of the selected span. */
  readonly lit: ProgramLine | null
}

const PyTorch = ({ lesson }: { readonly lesson: ExperimentLesson }) => (
  <CodeView title="PyTorch" lines={usePyTorch(lesson.id, lesson.pytorch)} />
)

const DIALECTS = [
  { id: 'webgpu', label: 'WebGPU' },
  { id: 'pytorch', label: 'PyTorch' },
] as const

export const CodePair = ({ lesson, meta, run, lit }: CodePairProps) => {
  const [dialect, setDialect] = useState<(typeof DIALECTS)[number]['id']>('webgpu')
  // A choice holds until another line is lit: what the visitor did last is shown.
  const [picked, setPicked] = useState<{ readonly variant: string; readonly over: ProgramLine | null }>()
  const variants = meta.variants(run.params)
  const chosen = picked?.over === lit ? picked.variant : undefined
  const asked = [chosen, lit?.variant, picked?.variant, lesson.prediction.metric.variant, variants[0]]
  const variant = asked.find((one) => one != null && variants.includes(one)) ?? ''
  return (
    <div className="code-pair container" data-dialect={dialect}>
      <Tabs label="Dialect" tabs={DIALECTS} shown={dialect} onShow={setDialect} className="code-pair-tabs" />
      {variants.length > 1 && (
        <label className="small code-pair-variant">
          Program of{' '}
          <select
            value={variant}
            onChange={(event) => setPicked({ variant: event.currentTarget.value, over: lit })}
          >
            {variants.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      <div className="code-pair-blocks stack-12">
        <div className="code-pair-block code-pair-webgpu">
          <Suspense fallback={<p className="quiet">Loading the code.</p>}>
            <RunningProgram {...{ meta, run, variant }} lit={lit?.variant === variant ? lit : 'hottest'} />
          </Suspense>
        </div>
        <div className="code-pair-block code-pair-pytorch">
          <Suspense fallback={<p className="quiet">Loading the code.</p>}>
            <PyTorch lesson={lesson} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
