/**
 * Every figure of a run, with its interval, its count and the clock it was read from; rows of one
 * metric share one scale.
 */
import type { ExperimentMeta } from '../../../experiments/experiment'
import type { Metric, MetricOrigin } from '../../../trace/report'
import { Bar } from '../Bar'
import { flagOf, metricText, pickUnit, type Scaled, whyNotMeasured } from '../format'
import { ScrollTable } from '../ScrollTable'
import './metrics.css'

const origins: Readonly<Record<MetricOrigin, string>> = {
  'device-clock': 'device clock',
  'host-clock': 'host clock',
  derived: 'derived',
}

/**
 * In the order of the experiment's schema; what it does not name comes last, under its own name.
 */
function groupMetrics(meta: ExperimentMeta | undefined, metrics: readonly Metric[]) {
  const known = meta?.metrics ?? []
  const names = [...known.map(({ name }) => name), ...metrics.map(({ name }) => name)]
  return [...new Set(names)].flatMap((name) => {
    const own = metrics.filter((metric) => metric.name === name)
    if (own.length === 0) return []
    return [{ name, label: known.find((one) => one.name === name)?.label ?? name, metrics: own }]
  })
}

interface RowProps {
  readonly metric: Metric
  readonly unit: Scaled
  readonly most: number
}

const Row = ({ metric, unit, most }: RowProps) => {
  const text = metricText(metric, unit)
  const flag = flagOf(metric)
  return (
    <tr>
      <th scope="row" className="metric-variant nowrap">
        {metric.variant === '' ? 'whole run' : metric.variant}
      </th>
      {text ? (
        <>
          <td className="metric-value">
            <strong>{text.figure}</strong>
            <span className="metric-unit quiet">{text.unit}</span>
          </td>
          <td className="metric-plot">
            {metric.value !== null && most > 0 && <Bar {...metric} value={metric.value} most={most} />}
          </td>
          <td className="nowrap quiet">
            {text.low === '' ? 'no interval' : `${text.low} to ${text.high}`}
            {flag !== '' && <span className="metric-flag">{flag}</span>}
          </td>
          <td>{metric.n}</td>
          <td className="nowrap quiet">
            {origins[metric.origin]}
            {metric.note !== undefined && <span className="metric-note">{metric.note}</span>}
          </td>
        </>
      ) : (
        <td colSpan={5} className="quiet">
          {whyNotMeasured(metric)}
        </td>
      )}
    </tr>
  )
}

export interface MetricsTableProps {
  readonly meta: ExperimentMeta | undefined
  readonly metrics: readonly Metric[]
}

export const MetricsTable = ({ meta, metrics }: MetricsTableProps) => (
  <ScrollTable
    label="All figures of the run"
    className="metrics wide"
    data-testid="metrics"
    columns={[
      'Variant',
      'Median',
      <span key="unshown" className="visually-hidden">
        Drawn from zero
      </span>,
      'Interval',
      'n',
      'Read from',
    ]}
  >
    {groupMetrics(meta, metrics).map(({ name, label, metrics: own }) => {
      const most = Math.max(0, ...own.map(({ high, value }) => high ?? value ?? 0))
      const common = pickUnit(own[0]?.unit ?? 'count', most, name)
      // A few bytes beside mebibytes would be written with six zeros.
      const unitFor = ({ unit, value }: Metric) =>
        unit === 'bytes' && value !== null && value < most / 1024 ? pickUnit(unit, value) : common
      return (
        <tbody key={name}>
          <tr>
            <th scope="rowgroup" colSpan={6} className="metric-name">
              {label}
              <code>{name}</code>
            </th>
          </tr>
          {own.map((metric) => (
            <Row key={metric.variant} metric={metric} unit={unitFor(metric)} most={most} />
          ))}
        </tbody>
      )
    })}
  </ScrollTable>
)
