/** What the marks of an excerpt mean; only what is in view. */
import type { CSSProperties } from 'react'
import {
  idleOf,
  repeatsBeside,
  type Excerpt,
  type ExcerptBar,
  type ExcerptIdle,
} from '../../../strips/excerpt'
import { idleLook } from '../../../strips/looks'
import { CAUSES } from '../../../timeline'
import { Inline, Term } from '../prose/Inline'
import type { TermKey } from '../prose/parse-prose'

const LEGEND: readonly {
  readonly term: TermKey
  readonly words: string
  readonly has: (excerpt: Excerpt) => boolean
}[] = [
  { term: 'host', words: 'host at work', has: hasBar('host-work', 'encode', 'submit', 'other') },
  { term: 'wait', words: 'host waiting', has: hasBar('host-wait') },
  {
    term: 'queue',
    words: 'queue depth',
    has: ({ strips }) => strips.some(({ depth }) => depth.some(({ value }) => value > 0)),
  },
  { term: 'transfer', words: 'copy', has: hasBar('transfer') },
  { term: 'device', words: 'device computing', has: hasBar('compute') },
  {
    term: 'idle',
    words: 'device idle',
    has: ({ strips }) => strips.some((strip) => idleOf(strip).length > 0),
  },
]

/** WebGPU's calls that a waiting host is in, in PyTorch's terms. */
const WAITS: readonly { readonly role: ExcerptBar['role']; readonly words: string }[] = [
  { role: 'wait-map', words: '`mapAsync`: WebGPU’s `.item()`' },
  { role: 'wait-done', words: '`onSubmittedWorkDone`: WebGPU’s `synchronize()`' },
]

export const barsIn = ({ strips }: Excerpt): readonly ExcerptBar[] =>
  strips.flatMap(({ rows }) => rows.flatMap(({ bars }) => bars))

function hasBar(...kinds: readonly ExcerptBar['kind'][]): (excerpt: Excerpt) => boolean {
  return (excerpt) => barsIn(excerpt).some(({ kind }) => kinds.includes(kind))
}

function whichRepeat(excerpt: Excerpt): string {
  const repeats = repeatsBeside(excerpt)
  const drawn = repeats > 0 ? `drawn: the middle of ${String(repeats)} repeats` : 'drawn'
  return excerpt.isSteady ? `${drawn}${repeats > 0 ? ',' : ''} from step 2` : drawn
}

/** Of the picture's length: less of a cause is hardly seen, and not named. */
const SEEN = 0.02

/** The causes of idle time that the host did not cause, by the hue that they are drawn in. */
function othersIdle({ strips, lengthNs }: Excerpt): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, Set<string>>()
  for (const strip of strips) {
    const totals = new Map<NonNullable<ExcerptIdle['cause']>, number>()
    for (const { cause, startNs, endNs } of idleOf(strip))
      if (cause !== null) totals.set(cause, (totals.get(cause) ?? 0) + endNs - startNs)
    for (const [cause, ns] of totals) {
      const { hue } = idleLook({ cause }).fill
      if (hue !== 'idle' && ns >= SEEN * lengthNs)
        seen.set(hue, (seen.get(hue) ?? new Set()).add(CAUSES[cause].label))
    }
  }
  return seen
}

/** What no word of the glossary stands for. */
const Plain = ({ hue, words }: { readonly hue: string; readonly words: string }) => (
  <li className="strips-legend-plain" style={{ '--hue': `var(--${hue})` } as CSSProperties}>
    {words}
  </li>
)

interface ExcerptLegendProps {
  readonly excerpt: Excerpt
  readonly staging: boolean
  /** Says which repeat is drawn, too. */
  readonly isCloser?: boolean
}

/** Of what is in view; each entry defines its word and lights it. */
export const ExcerptLegend = ({ excerpt, staging, isCloser = true }: ExcerptLegendProps) => (
  <ul className="strips-legend cluster quiet small" aria-label="Legend">
    {LEGEND.filter(({ has }) => has(excerpt)).map(({ term, words }) => (
      <li key={term}>
        <Term id={term}>{words}</Term>
      </li>
    ))}
    {hasBar('collective')(excerpt) && (
      <Plain
        hue="collective"
        words={
          excerpt.strips.some(({ messages }) => messages.length > 0)
            ? 'send or recv, until it arrived'
            : 'between ranks, until the other joined'
        }
      />
    )}
    {[...othersIdle(excerpt)].map(([hue, causes]) => (
      <Plain key={hue} hue={hue} words={`idle: ${[...causes].join(', ')}`} />
    ))}
    {WAITS.filter(({ role }) => barsIn(excerpt).some((bar) => bar.role === role)).map(({ role, words }) => (
      <li key={role}>
        <Inline text={words} />
      </li>
    ))}
    {staging && (
      <li>
        <Term id="staging">staging buffer being filled</Term>,{' '}
        <span className="term-state term-staging term-in-flight">in flight</span>,{' '}
        <span className="term-state term-staging term-free">free</span>
      </li>
    )}
    {isCloser && (repeatsBeside(excerpt) > 0 || excerpt.isSteady) && <li>{whichRepeat(excerpt)}</li>}
  </ul>
)
