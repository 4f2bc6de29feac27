/** What runs, and the same in PyTorch: side by side where there is room, one at a time where there is not. */
import { Suspense, useMemo, useState } from 'react'
import type { Meta } from '../../../experiments/catalog'
import type { ParamValues } from '../../../experiments/experiment'
import type { ExperimentLesson } from '../../../lessons/lesson'
import type { LineShare, ProgramLine } from '../../state/program-lines'
import { CodeView } from '../source/CodeView'
import { useProgram, usePyTorch } from '../source/use-highlighted'
import { useLab } from '../lab-context'
import { Tabs } from '../Tabs'
import { useStore } from 'zustand'

interface CodePairProps {
  readonly lesson: ExperimentLesson
  readonly declaration: Meta
  readonly values: ParamValues
  /** The line that runs now, or that made the call of the selected span. */
  readonly lit: ProgramLine | null
  /** What the host spent on each line, in the variant shown. */
  readonly sharesOf: (variant: string) => ReadonlyMap<number, LineShare>
}

const PyTorch = ({ lesson }: { readonly lesson: ExperimentLesson }) => (
  <CodeView title="PyTorch" lines={usePyTorch(lesson.id, lesson.pytorch)} />
)

const Running = ({
  declaration,
  variant,
  program,
  lit,
  sharesOf,
}: Omit<CodePairProps, 'lesson' | 'values'> & { readonly variant: string; readonly program: string }) => {
  const marks = useMemo(() => sharesOf(variant), [sharesOf, variant])
  const lines = useProgram(declaration.id, program)
  if (!lines) return null
  return (
    <>
      <CodeView
        title={`WebGPU: ${program}.js, as it runs for ${variant}`}
        lines={lines}
        marks={marks}
        lit={lit?.variant === variant ? lit : null}
      />
      {marks.size > 0 && (
        <p className="small quiet">
          Beside a line: the share of the host’s time that was spent there, read off the timeline above.
        </p>
      )}
    </>
  )
}

const DIALECTS = [
  { id: 'webgpu', label: 'WebGPU' },
  { id: 'pytorch', label: 'PyTorch' },
] as const

export const CodePair = ({ lesson, declaration, values, lit, sharesOf }: CodePairProps) => {
  const { view } = useLab()
  const dialect = useStore(view.store, (state) => state.dialect)
  // A choice holds until another line is lit: what the visitor did last is shown.
  const [picked, setPicked] = useState<{ readonly variant: string; readonly over: ProgramLine | null }>()
  const variants = declaration.variants(values)
  const chosen = picked?.over === lit ? picked.variant : undefined
  const asked = [chosen, lit?.variant, picked?.variant, lesson.prediction.metric.variant, variants[0]]
  const variant = asked.find((one) => one != null && variants.includes(one)) ?? ''
  return (
    <div className="code-pair container" data-dialect={dialect}>
      <Tabs
        label="Dialect"
        tabs={DIALECTS}
        shown={dialect}
        onShow={(shown) => view.set({ dialect: shown })}
        className="code-pair-tabs"
      />
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
            <Running
              declaration={declaration}
              variant={variant}
              program={declaration.program(variant, values)}
              lit={lit}
              sharesOf={sharesOf}
            />
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
