/** Two runs, or two variants of one: on one axis, with every difference bounded. The address holds what is compared. */
import { useEffect, useId } from 'react'
import { experiments, findExperiment } from '../../../experiments/catalog'
import { inBackground } from '../../state/in-background'
import { DEVICE_BUSY, type Unlike } from '../../state/comparison'
import { adapterOf, localTime } from '../../state/kept-run'
import type { LoadedRun } from '../../state/run-store'
import { addressOf, type Query, type RouteOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { Quantities } from '../prose/Inline'
import { useTitle } from '../use-title'
import { comparisonSentence, setApart } from './compare-words'
import { DifferenceTables } from './DifferenceTables'
import { LinkedTimelines } from './LinkedTimelines'
import { type Choice, useChoices, useComparedRun } from './use-compared-run'
import { useComparison } from './use-comparison'
import { Button } from '../Button'
import '../run/run.css'
import './compare.css'

/** What the two runs do not have in common: loudly, before any difference is read off, or below all of it. */
const List = ({ entries }: { readonly entries: readonly Unlike[] }) => (
  <dl className="unlike stack-4">
    {entries.map(({ what, a, b }) => (
      <div key={what}>
        <dt>{what}</dt>
        <dd>
          A: {a} · B: {b}
        </dd>
      </div>
    ))}
  </dl>
)

interface UnlikeProps {
  readonly unlike: readonly Unlike[]
}

/** One setting alone is what is compared: the sentence above has it. */
const UnlikeNotice = ({ unlike, isSameVariant }: UnlikeProps & { readonly isSameVariant: boolean }) => {
  const loud = setApart(unlike)
  const adapters = loud.some(({ weight }) => weight === 'adapter')
  const settings = loud.some(({ weight }) => weight === 'settings')
  const isMeant = loud.length === 1 && isSameVariant && loud[0]?.weight === 'settings'
  if (loud.length === 0 || (isMeant && loud[0]?.what !== 'experiment')) return null
  return (
    <div className="notice notice-warn" role="note" data-testid="unlike">
      <h2>
        {adapters && settings
          ? 'Different adapters, and different settings'
          : adapters
            ? 'Different adapters'
            : 'Different settings'}
      </h2>
      <p>
        A difference below may come from {loud.length > 1 ? 'any of these' : 'this'}, and not from what you
        meant to compare.
      </p>
      <List entries={loud} />
    </div>
  )
}

const OtherwiseUnlike = ({ unlike }: UnlikeProps) => {
  const loud = setApart(unlike)
  const rest = unlike.filter((entry) => !loud.includes(entry))
  return rest.length === 0 ? null : (
    <details className="small">
      <summary>What else differs between the two</summary>
      <List entries={rest} />
    </details>
  )
}

/** Which run, and which of its variants: one side of the comparison. */
interface RunPickerProps {
  readonly side: 'A' | 'B'
  readonly choices: readonly Choice[]
  /** '' while none is chosen. */
  readonly chosen: string
  readonly variants: readonly string[]
  readonly variant: string
  readonly onRun: (ref: string) => void
  readonly onVariant: (variant: string) => void
}

const RunPicker = ({ side, choices, chosen, variants, variant, onRun, onVariant }: RunPickerProps) => {
  const id = useId()
  const groups = [...new Set(choices.map(({ group }) => group))]
  const isListed = chosen === '' || choices.some(({ ref }) => ref === chosen)
  return (
    <fieldset className="run-picker stack panel">
      <legend>{side}</legend>
      <label htmlFor={`${id}-run`}>Run</label>
      <select id={`${id}-run`} value={chosen} onChange={(event) => onRun(event.target.value)}>
        <option value="" disabled>
          Choose a run
        </option>
        {!isListed && <option value={chosen}>no longer here</option>}
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {choices
              .filter((choice) => choice.group === group)
              .map(({ ref, label }) => (
                <option key={ref} value={ref}>
                  {label}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <label htmlFor={`${id}-variant`}>Variant</label>
      <select
        id={`${id}-variant`}
        value={variant}
        disabled={variants.length === 0}
        onChange={(event) => onVariant(event.target.value)}
      >
        {variants.length === 0 && <option value="">none counted</option>}
        {variants.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </fieldset>
  )
}

/** Two variants of one recording, of which one goes without what the other waits for. */
const [EXAMPLE] = experiments.flatMap(({ id, remedies = [] }) =>
  remedies.map(({ variant, by }) => {
    const recording = `recording:${id}`
    const query = { a: recording, b: recording, va: by, vb: variant }
    return { href: addressOf({ page: 'compare', query }), words: `${by} against ${variant}, as recorded` }
  }),
)
const ORIGINS = { live: 'measured here', recorded: 'recorded', imported: 'imported' } as const

function captionOf({ trace, report }: LoadedRun, variant: string): string {
  const { experiment, startedAt, origin } = trace.info
  const adapter = adapterOf(trace, report)
  return [
    findExperiment(experiment)?.title ?? experiment,
    variant === '' ? 'no variant' : variant,
    adapter === '' ? 'adapter not named' : adapter,
    `${ORIGINS[origin]} ${localTime(startedAt)}`,
  ].join(' · ')
}

/** The two sides that the address asks for, compared. */
function useSides(query: Query) {
  const { a: refA = '', b: refB = '', va, vb } = query
  const [foundA, foundB] = [useComparedRun(refA), useComparedRun(refB)]
  const { run: runA } = foundA
  const { run: runB } = foundB
  const state = useComparison({ runA, runB, variantA: va, variantB: vb, isSameRun: refA === refB })
  const { comparison } = state
  const variantA = state.a?.variant ?? ''
  const variantB = state.b?.variant ?? ''
  const experiment = runA ? findExperiment(runA.trace.info.experiment) : undefined
  const labelOf = (name: string): string => {
    const labelled = [...(experiment?.metrics ?? []), ...(experiment?.params ?? []), DEVICE_BUSY]
    return labelled.find((each) => each.name === name)?.label ?? name
  }

  const sides = [
    { side: 'A', ref: refA, chosen: state.a, asked: va, run: 'a', of: 'va', fault: foundA.fault },
    { side: 'B', ref: refB, chosen: state.b, asked: vb, run: 'b', of: 'vb', fault: foundB.fault },
  ] as const
  const missing = sides.flatMap(({ side, chosen, asked }) =>
    chosen && asked !== undefined && asked !== chosen.variant ? [`‘${asked}’ of ${side}`] : [],
  )
  const isLoading = sides.some(({ ref, chosen, fault }) => ref !== '' && !chosen && !fault)
  const isSame = refA === refB && variantA === variantB
  const headline = experiment?.metrics[0]?.name
  const sentence =
    comparison && comparisonSentence({ comparison, variantA, variantB, isSame, headline, labelOf })
  return { sides, missing, isLoading, comparison, sentence, runA, runB, variantA, variantB, labelOf }
}

export const ComparePage = ({ route: { query } }: { readonly route: RouteOf<'compare'> }) => {
  const { route, kept } = useLab()
  useTitle('Compare two runs')
  useEffect(() => {
    inBackground(kept.refresh())
  }, [kept])
  const { sides, missing, isLoading, comparison, sentence, ...compared } = useSides(query)
  const { runA, runB, variantA, variantB, labelOf } = compared
  const { a: refA = '', b: refB = '' } = query
  const choices = useChoices()
  const show = (change: Query) => route.replace({ page: 'compare', query: { ...query, ...change } })
  const without = (...names: readonly string[]): Query =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
  return (
    <div className="page compare stack-24">
      <header className="stack-12">
        <h1>Compare two runs</h1>
        <p
          className={comparison ? 'lead compare-sentence' : 'lead'}
          role="status"
          data-testid="compare-sentence"
        >
          {sentence === null ? (
            'Two runs, or two variants of one, on one axis from their first submit on. A verdict is given only where the intervals are apart.'
          ) : (
            <Quantities text={sentence} />
          )}
        </p>
      </header>
      <div className="compare-pickers stack-16 no-print">
        {sides.map(({ side, ref, chosen: own, run, of }) => (
          <RunPicker
            key={side}
            side={side}
            choices={choices}
            chosen={ref}
            variants={own?.variants ?? []}
            variant={own?.variant ?? ''}
            onRun={(chosen) => route.replace({ page: 'compare', query: { ...without(of), [run]: chosen } })}
            onVariant={(chosen) => show({ [of]: chosen })}
          />
        ))}
        <Button
          look="small"
          label="Swap A and B"
          disabled={!comparison}
          onClick={() => show({ a: refB, b: refA, va: variantB, vb: variantA })}
        />
      </div>
      {sides.map(({ side, fault }) => fault && <FaultNotice key={side} fault={fault} />)}
      {missing.length > 0 && (
        <p className="notice" role="note">
          The address asks for the variant {missing.join(' and ')}, which is not in that run. Another is
          shown.
        </p>
      )}
      {(refA === '' || refB === '') && (
        <p>
          Choose two runs: those you <a href={addressOf({ page: 'runs' })}>kept</a>, the one on the page, or
          the recorded ones.
          {EXAMPLE && (
            <>
              {' '}
              For instance <a href={EXAMPLE.href}>{EXAMPLE.words}</a>.
            </>
          )}
        </p>
      )}
      <p className={isLoading ? 'loading' : 'visually-hidden'} role="status">
        {isLoading ? 'Loading the runs.' : ''}
      </p>
      {comparison && runA && runB && (
        <>
          <UnlikeNotice unlike={comparison.unlike} isSameVariant={variantA === variantB} />
          <LinkedTimelines
            comparison={comparison}
            captionA={captionOf(runA, variantA)}
            captionB={captionOf(runB, variantB)}
          />
          <DifferenceTables comparison={comparison} labelOf={labelOf} />
          <OtherwiseUnlike unlike={comparison.unlike} />
        </>
      )}
    </div>
  )
}
