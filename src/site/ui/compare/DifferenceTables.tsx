/** Every difference with its bounds: figure by figure, kind of step by kind of step. */
import type { ReactNode } from 'react'
import type { Difference, ShownComparison } from '../../state/comparison'
import { formatNumber } from '../format'
import { differenceText } from './compare-words'
import { ScrollTable } from '../ScrollTable'

interface Row {
  readonly key: string
  readonly head: ReactNode
  readonly difference: Difference
}

const Interval = ({ text }: { readonly text: string }) =>
  text === '' ? null : <span className="block small quiet">{text}</span>

interface TableProps {
  readonly title: string
  readonly rows: readonly Row[]
  readonly children: ReactNode
}

const Table = ({ title, rows, children }: TableProps) => (
  <section className="stack-4">
    <h2 className="size-3">{title}</h2>
    <p className="small quiet">{children}</p>
    {rows.length > 0 && (
      <ScrollTable
        label={title}
        className="differences nowrap wide"
        columns={[
          <span key="unshown" className="visually-hidden">
            What
          </span>,
          'A',
          'B',
          'B − A',
          'B / A',
          'Verdict',
        ]}
      >
        <tbody>
          {rows.map(({ key, head, difference }) => {
            const text = differenceText(difference)
            return (
              <tr key={key} data-verdict={difference.verdict}>
                <th scope="row">{head}</th>
                <td>
                  {text.a}
                  <Interval text={text.rangeA} />
                </td>
                <td>
                  {text.b}
                  <Interval text={text.rangeB} />
                </td>
                <td>
                  {text.change}
                  <Interval text={text.changeRange} />
                </td>
                <td>{text.ratio}</td>
                <td className="compare-verdict">{text.verdict}</td>
              </tr>
            )
          })}
        </tbody>
      </ScrollTable>
    )}
  </section>
)

export interface DifferenceTablesProps {
  readonly comparison: ShownComparison
  /** The label of a metric in its experiment. */
  readonly labelOf: (metric: string) => string
}

export const DifferenceTables = ({ comparison, labelOf }: DifferenceTablesProps) => {
  const { metrics, figuresOf, kinds, steps } = comparison
  return (
    <>
      <p className="compare-method passage small">
        A figure is the median over the counted repeats, its interval that of the median by order statistics,
        widened by the steps of the clock. A difference runs from the low end of B less the high end of A to
        the high end of B less the low end of A: everything that the two intervals allow. Where they overlap,
        there is no verdict.
      </p>
      <Table
        title="Figure by figure"
        rows={metrics.map((difference, index) => ({
          key: `${String(index)} ${difference.name}`,
          head: (
            <>
              {labelOf(difference.name)}
              {difference.a.variant === '' && <span className="block small quiet">whole run</span>}
            </>
          ),
          difference,
        }))}
      >
        {metrics.length === 0
          ? `The two ${figuresOf} have no figure in common.`
          : figuresOf === 'traces'
            ? 'Shares of what each file records, from the first work of its device to the last.'
            : 'As in the reports of the two runs.'}
      </Table>
      <Table
        title="Step by step"
        rows={kinds.map(({ kind, matched, difference }) => ({
          key: kind,
          head: (
            <>
              {kind}
              <span className="block small quiet">{formatNumber(matched)} matched</span>
            </>
          ),
          difference,
        }))}
      >
        How long one takes: the median of each repeat is a sample. Steps are matched by repeat, step and kind.
        {steps.onlyA + steps.onlyB > 0 &&
          ` Without a counterpart: ${formatNumber(steps.onlyA)} in A, ${formatNumber(steps.onlyB)} in B.`}
      </Table>
    </>
  )
}
