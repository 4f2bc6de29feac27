/** Two runs, or two variants of one: on one axis, with every difference bounded. The address holds what is compared. */
import { useEffect } from 'react'
import { experiments, findExperiment } from '../../../experiments/catalog'
import { inBackground } from '../../state/in-background'
import { DEVICE_BUSY } from '../../state/comparison'
import { adapterOf, localTime } from '../../state/kept-run'
import type { LoadedRun } from '../../state/run-store'
import { addressOf, type Query, type RouteOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { Quantities } from '../prose/Inline'
import { useTitle } from '../use-title'
import { comparisonSentence } from './compare-words'
import { DifferenceTables } from './DifferenceTables'
import { LinkedTimelines } from './LinkedTimelines'
import { RunPicker } from './RunPicker'
import { OtherwiseUnlike, UnlikeNotice } from './UnlikeNotice'
import { useChoices, useComparedRun } from './use-compared-run'
import { useComparison } from './use-comparison'
import '../run/run.css'
import './compare.css'

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

export const ComparePage = ({ route: { query } }: { readonly route: RouteOf<'compare'> }) => {
  const { route, kept } = useLab()
  useTitle('Compare two runs')
  useEffect(() => {
    inBackground(kept.refresh())
  }, [kept])
  const { a: refA = '', b: refB = '', va, vb } = query
  const choices = useChoices()
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

  const show = (change: Query) => route.replace({ page: 'compare', query: { ...query, ...change } })
  const without = (...names: readonly string[]): Query =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
  const sides = [
    { side: 'A', ref: refA, chosen: state.a, asked: va, run: 'a', of: 'va', fault: foundA.fault },
    { side: 'B', ref: refB, chosen: state.b, asked: vb, run: 'b', of: 'vb', fault: foundB.fault },
  ] as const
  const missing = sides.flatMap(({ side, chosen, asked }) =>
    chosen && asked !== undefined && asked !== chosen.variant ? [`‘${asked}’ of ${side}`] : [],
  )
  const isLoading = sides.some(({ ref, chosen, fault }) => ref !== '' && !chosen && !fault)

  return (
    <div className="page compare stack-24">
      <header className="stack-12">
        <h1>Compare two runs</h1>
        <p
          className={comparison ? 'lead compare-sentence' : 'lead'}
          role="status"
          data-testid="compare-sentence"
        >
          {comparison ? (
            <Quantities
              text={comparisonSentence({
                comparison,
                variantA,
                variantB,
                isSame: refA === refB && variantA === variantB,
                headline: experiment?.metrics[0]?.name,
                labelOf,
              })}
            />
          ) : (
            'Two runs, or two variants of one, on one axis from their first submit on. A verdict is given only where the intervals are apart.'
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
        <button
          type="button"
          className="button button-small"
          disabled={!comparison}
          onClick={() => show({ a: refB, b: refA, va: variantB, vb: variantA })}
        >
          Swap A and B
        </button>
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
