/**
 * What the command line prints: the list of experiments, and a run's summary. stdout is for these;
 * progress goes to stderr.
 */
import { flopRateUnit } from '../src/base/figures'
import type { Meta } from '../src/experiments/catalog-of'
import { describeRange, formatParam, type ExperimentMeta } from '../src/experiments/experiment'
import type { Metric, Report } from '../src/trace/report'
import { formatFigure, textTable } from './text-table'

export function listText(metas: readonly ExperimentMeta[]): string {
  const sections = metas.map((meta) => {
    const rows = meta.params.map((param) => [
      `  ${param.name}`,
      describeRange(param),
      `default ${formatParam(param.default)}`,
    ])
    const short = Object.entries(meta.short).map(([name, value]) => `--set ${name}=${formatParam(value)}`)
    return [`${meta.id}: ${meta.question}`, textTable(rows), `  short run: ${short.join(' ')}`].join('\n')
  })
  return sections.join('\n\n')
}

export const listJson = (declarations: readonly Meta[]) => ({
  schema: 'host-device-lab/experiments@1',
  experiments: declarations.map(({ id, title, question, params, short, metrics }) => ({
    id,
    title,
    question,
    params: params.map((param) => ({ ...param, accepts: describeRange(param) })),
    short,
    // Without how each is read off a run.
    metrics: metrics.map(({ name, label, unit, isFactor }) => ({
      name,
      label,
      unit,
      ...(isFactor === undefined ? {} : { isFactor }),
    })),
  })),
})

function metricRow(metric: Metric): readonly string[] {
  const { name, variant, value, unit, low, high, n, origin, note } = metric
  if (value === null)
    return [name, variant, `not measured: ${note ?? 'no reason given'}`, '', '', String(n), origin]
  const { label, gflops: scale } =
    unit === 'GFLOP/s' ? flopRateUnit(value) : { label: unit as string, gflops: 1 }
  const write = (each: number) => formatFigure(each / scale)
  const spread = low === null || high === null ? '' : `${write(low)} … ${write(high)}`
  return [name, variant, write(value), spread, label, String(n), origin]
}

const orUnknown = (value: number | null, unit: string): string =>
  value === null ? 'unknown' : `${formatFigure(value)} ${unit}`

/** Why a finished run does not count; empty when it does. */
export function whyNotCounted({ validity, verification }: Report): readonly string[] {
  const { checked, failed, what } = verification
  return [
    ...(validity.valid ? [] : validity.reasons.length > 0 ? validity.reasons : ['The run is not valid.']),
    ...(checked === 0 ? ['Nothing of its results was checked.'] : []),
    ...(failed > 0 ? [`${String(failed)} of ${String(checked)} checked results are wrong (${what}).`] : []),
  ]
}

export function summaryText(report: Report): string {
  const { environment, clock, verification, verdict, metrics } = report
  const header = ['metric', 'variant', 'median', 'interval', 'unit', 'n', 'clock']
  const facts = [
    ['adapter', environment.adapterName],
    [
      'clocks',
      `host in steps of ${orUnknown(environment.hostClockStepUs, 'µs')}, device ${orUnknown(environment.deviceClockStepNs, 'ns')}; ` +
        `fit ${clock.state}, bound ± ${orUnknown(clock.offsetBoundUs, 'µs')}, ${String(clock.rejected)} timestamps rejected`,
    ],
    [
      'results',
      `${String(verification.checked)} checked, ${String(verification.failed)} wrong, largest relative error ${formatFigure(verification.maxRelativeError)}`,
    ],
    ['verdict', `${verdict.outcome}. ${verdict.text}`],
  ]
  return [textTable([header, ...metrics.map(metricRow)], [2, 3, 5]), textTable(facts)].join('\n\n')
}
