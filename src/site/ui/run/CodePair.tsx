/**
 * The program that ran and the same in PyTorch: side by side where there is room, one at a time
 * where there is not.
 */
import { Suspense, useState } from 'react'
import type { Meta } from '../../../experiments/catalog'
import type { RunState } from '../../state/run-store'
import { CodeView } from '../source/CodeView'
import { RunningProgram, useSource, type ProgramLine } from '../source/Sources'
import { Tabs } from '../Tabs'

/** A lesson has the name of its experiment; an experiment without one has no such file. */
const PyTorch = ({ id }: Pick<Meta, 'id'>) => {
  const lines = useSource(`src/lessons/${id}/code/pytorch.py`)
  return lines && <CodeView title="PyTorch" lines={lines} />
}

const DIALECTS = [
  { id: 'webgpu', label: 'WebGPU' },
  { id: 'pytorch', label: 'PyTorch' },
] as const

interface CodePairProps {
  readonly meta: Meta
  readonly run: RunState
  /** The line that made the call of the selected span. */
  readonly lit: ProgramLine | null
}

export const CodePair = ({ meta, run, lit }: CodePairProps) => {
  const [dialect, setDialect] = useState<(typeof DIALECTS)[number]['id']>('webgpu')
  // A choice holds until another line is lit: what the visitor did last is shown.
  const [picked, setPicked] = useState<{ readonly variant: string; readonly over: ProgramLine | null }>()
  const variants = meta.variants(run.params)
  const chosen = picked?.over === lit ? picked.variant : undefined
  const asked = [chosen, lit?.variant, picked?.variant, variants.at(-1)]
  const variant = asked.find((one) => one != null && variants.includes(one)) ?? ''
  return (
    <section className="code-pair container" aria-label="The programs" data-dialect={dialect}>
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
        <Suspense fallback={<p className="quiet">Loading the code.</p>}>
          <div className="code-pair-block code-pair-webgpu">
            <RunningProgram {...{ meta, run, variant }} lit={lit?.variant === variant ? lit : 'hottest'} />
          </div>
          <div className="code-pair-block code-pair-pytorch">
            <PyTorch id={meta.id} />
          </div>
        </Suspense>
      </div>
    </section>
  )
}
