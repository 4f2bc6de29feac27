/**
 * Source files as they were highlighted while the site was built, each loaded when first shown;
 * programs and shaders on the page, with what each line of a program cost.
 */
import { Suspense, use, useMemo, useState } from 'react'
import { loadOnce } from '../../../base/load-once'
import type { Meta } from '../../../experiments/catalog'
import type { RunState } from '../../state/run-store'
import { CodeView, type CodeViewProps } from './CodeView'
import { Tabs } from '../Tabs'
import { plain, textOf, type HighlightedLines } from './lines'
import { rankOfLane } from '../../../trace/collectives'
import type { PlacedTrace } from '../../../trace/place'
import { SPAN_KINDS, SPAN_ROLES, type SpanRole, type Trace } from '../../../trace/schema'

const files = import.meta.glob<HighlightedLines>(
  [
    '/shaders/**/*.wgsl',
    '/src/experiments/*/programs/*.js',
    '/src/lessons/*/code/pytorch.py',
    '/src/lessons/*/mend/reference.*',
  ],
  { query: '?highlight', import: 'lines' },
)

/**
 * By its path in the repository: the text that runs. Null where the build has no such file.
 * @internal
 */
export const { load: loadSource } = loadOnce(
  async (path: string): Promise<HighlightedLines | null> => (await files[`/${path}`]?.()) ?? null,
)

/** Suspends while it is loaded. */
export const useSource = (path: string): HighlightedLines | null => use(loadSource(path))

/**
 * The lab's own mend of a lesson. A rung before the last has a text of its own, without colours.
 */
export function useReference(
  lesson: string,
  language: 'javascript' | 'wgsl',
  source: string,
): HighlightedLines {
  const lines = useSource(`src/lessons/${lesson}/mend/reference.${language === 'wgsl' ? 'wgsl' : 'js'}`)
  return lines && textOf(lines) === textOf(plain(source)) ? lines : plain(source)
}

export interface ProgramLine {
  readonly variant: string
  /** Counted from 1. */
  readonly line: number
  readonly role: SpanRole
}

/** Null where no line of a program made the call. */
export function lineOfSpan({ spans, strings }: Trace, span: number): ProgramLine | null {
  const line = spans.line[span] ?? -1
  const variant = strings[spans.variant[span] ?? -1]
  if (line < 1 || variant === undefined) return null
  return { variant, line, role: SPAN_ROLES[spans.role[span] ?? 0] ?? 'none' }
}

const isOnHost = ({ lanes, spans }: Trace, span: number): boolean =>
  lanes[spans.lane[span] ?? -1]?.kind === 'host'

interface LineShare {
  readonly role: SpanRole
  /** Of the windows' time, repeats that count. */
  readonly share: number
}

/**
 * What the host spent on each line of a variant's program; the role is the one that took most of
 * it. Calls of one line that go on at the same time count once. Of a program on several ranks it is
 * their mean. The lines are those that the recorder wrote into the trace. @internal
 */
export function lineShares(
  { trace, startNs, endNs }: PlacedTrace,
  variant: string,
): ReadonlyMap<number, LineShare> {
  const { spans, lanes } = trace
  const wanted = trace.strings.indexOf(variant)
  const times = new Map<number, Map<SpanRole, number>>()
  /** By line and lane. */
  const calls = new Map<string, { readonly from: number; readonly to: number; readonly at: ProgramLine }[]>()
  const ranks = new Set<number>()
  let windowNs = 0
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== wanted || (spans.repeat[span] ?? -1) < 0 || !isOnHost(trace, span)) continue
    const [from, to] = [startNs[span] ?? 0, endNs[span] ?? 0]
    if (SPAN_KINDS[spans.kind[span] ?? -1] === 'window') windowNs += to - from
    const at = lineOfSpan(trace, span)
    if (!at) continue
    const lane = spans.lane[span] ?? -1
    if (!Number.isNaN(rankOfLane(lanes[lane]?.name ?? ''))) ranks.add(lane)
    const key = `${String(at.line)} ${String(lane)}`
    const known = calls.get(key)
    if (known) known.push({ from, to, at })
    else calls.set(key, [{ from, to, at }])
  }
  for (const ofLane of calls.values()) {
    let until = -Infinity
    for (const { from, to, at } of ofLane.toSorted((a, b) => a.from - b.from)) {
      const ofLine = times.get(at.line) ?? new Map<SpanRole, number>()
      ofLine.set(at.role, (ofLine.get(at.role) ?? 0) + Math.max(0, to - Math.max(from, until)))
      times.set(at.line, ofLine)
      until = Math.max(until, to)
    }
  }
  const shares = new Map<number, LineShare>()
  const wholeNs = windowNs * Math.max(1, ranks.size)
  if (wholeNs <= 0) return shares
  for (const [line, ofLine] of times) {
    const [longest] = [...ofLine].sort(([, one], [, other]) => other - one)
    const total = [...ofLine.values()].reduce((sum, ns) => sum + ns, 0)
    if (longest) shares.set(line, { role: longest[0], share: total / wholeNs })
  }
  return shares
}

interface RunningProgramProps {
  readonly meta: Meta
  readonly run: RunState
  readonly variant: string
  /** Or the line that took most of the host's time. */
  readonly lit: CodeViewProps['lit'] | 'hottest'
}

/**
 * The program of a variant as it ran: beside each line the host's time that it took, and one line
 * lit.
 */
export const RunningProgram = ({ meta, run, variant, lit }: RunningProgramProps) => {
  const program = meta.program(variant, run.params)
  const lines = useSource(`src/experiments/${meta.id}/programs/${program}.js`)
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
  const lines = useSource(path)
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
