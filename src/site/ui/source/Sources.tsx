/** Source files as they were highlighted while the site was built, each loaded when first shown; programs and shaders on the page. */
import { Suspense, use, useMemo, useState } from 'react'
import type { Meta } from '../../../experiments/catalog'
import { lineShares, type LineShare } from '../../state/program-lines'
import type { RunState } from '../../state/run-store'
import { CodeView, type CodeViewProps } from './CodeView'
import { Tabs } from '../Tabs'
import { plain, textOf, type HighlightedLines } from './lines'

type Load = () => Promise<HighlightedLines>

const files = import.meta.glob<HighlightedLines>(
  [
    '../../../../shaders/**/*.wgsl',
    '../../../experiments/*/programs/*.js',
    '../../../lessons/*/code/pytorch.py',
    '../../../lessons/*/mend/reference.*',
  ],
  { query: '?highlight', import: 'lines' },
)

/** @internal */
export const shaderFile = (path: string): Load | undefined => files[`../../../../${path}`]

/** @internal */
export const programFile = (experiment: string, program: string): Load | undefined =>
  files[`../../../experiments/${experiment}/programs/${program}.js`]

/** @internal */
export const pyTorchFile = (lesson: string): Load | undefined =>
  files[`../../../lessons/${lesson}/code/pytorch.py`]

/** @internal */
export const referenceFile = (lesson: string, language: 'javascript' | 'wgsl'): Load | undefined =>
  files[`../../../lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`]

const asked = new Map<string, Promise<HighlightedLines | null>>()
/** One promise a file, so that React's `use` can wait for it. */
function once(path: string, load: Load | undefined): Promise<HighlightedLines | null> {
  const known = asked.get(path)
  if (known) return known
  const loading = load ? load() : Promise.resolve(null)
  asked.set(path, loading)
  return loading
}

/** `path` as an experiment names it: 'shaders/matmul/tiled.wgsl'. Null where there is no such file. */
const useShader = (path: string): HighlightedLines | null => use(once(path, shaderFile(path)))

/** The text of a program, which is the text that runs. Null where there is no such file. */
const useProgram = (experiment: string, program: string): HighlightedLines | null =>
  use(once(`${experiment}/${program}.js`, programFile(experiment, program)))

/** The text that is given is what counts, coloured or not. */
function useColoured(path: string, load: Load | undefined, source: string): HighlightedLines {
  const lines = use(once(path, load))
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}

/** A lesson's PyTorch side. */
export const usePyTorch = (lesson: string, source: string): HighlightedLines =>
  useColoured(`${lesson}/pytorch.py`, pyTorchFile(lesson), source)

/** The lab's own mend of a lesson. A rung before the last has a text of its own, without colours. */
export const useReference = (
  lesson: string,
  language: 'javascript' | 'wgsl',
  source: string,
): HighlightedLines => useColoured(`${lesson}/reference`, referenceFile(lesson, language), source)

interface RunningProgramProps {
  readonly meta: Meta
  readonly run: RunState
  readonly variant: string
  /** Or the line that took most of the host's time. */
  readonly lit: CodeViewProps['lit'] | 'hottest'
}

/** The program of a variant as it ran: beside each line the host's time that it took, and one line lit. */
export const RunningProgram = ({ meta, run, variant, lit }: RunningProgramProps) => {
  const program = meta.program(variant, run.params)
  const lines = useProgram(meta.id, program)
  const marks = useMemo(
    (): ReadonlyMap<number, LineShare> => (run.placed ? lineShares(run.placed, variant) : new Map()),
    [run, variant],
  )
  if (!lines) return null
  const [hottest] = [...marks].sort(([, one], [, other]) => other.share - one.share)
  const shown = lit === 'hottest' ? hottest && { line: hottest[0], role: hottest[1].role } : lit
  return (
    <CodeView
      title={`${program}.js, as it runs for ${variant}`}
      lines={lines}
      marks={marks}
      lit={shown && shown.line > 0 ? shown : null}
    />
  )
}

const Shader = ({ path }: { readonly path: string }) => {
  const lines = useShader(path)
  return lines ? (
    <CodeView title={path} lines={lines} />
  ) : (
    <p className="quiet">{path} is not part of this build.</p>
  )
}

interface SourcePaneProps {
  readonly paths: readonly string[]
  /** Part of the file name to open first: the kernel that was chosen. */
  readonly preferred?: string
}

/** The WGSL that runs, from the very files that run. */
export const SourcePane = ({ paths, preferred }: SourcePaneProps) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const path =
    chosen ?? paths.find((each) => preferred !== undefined && each.endsWith(`/${preferred}.wgsl`)) ?? paths[0]
  if (path === undefined) return null
  return (
    <div>
      {paths.length > 1 && (
        <Tabs
          label="Shader file"
          tabs={paths.map((id) => ({ id, label: id.split('/').at(-1) ?? '' }))}
          shown={path}
          onShow={setChosen}
        />
      )}
      <Suspense fallback={<p className="quiet">Loading the source.</p>}>
        <Shader path={path} />
      </Suspense>
    </div>
  )
}
