/**
 * The charts of a report, each with its legend, its caption and the same facts as a table. For live
 * runs and recordings alike.
 */
import { useMemo } from 'react'
import {
  isBarFigure,
  isGraphFigure,
  isPointFigure,
  type ReportFigure,
  tableOfFigure,
  type FigureReference,
  withReference,
} from '../../../trace/figure'
import { tickText } from './axes'
import { BarChart } from './BarChart'
import { GraphChart, GraphLegend, FillSwatch } from './GraphChart'
import { PointChart, SeriesSwatch } from './PointChart'
import { useWidth } from './use-width'
import { ScrollTable } from '../ScrollTable'
import { useLoaded } from '../use-loaded'
import { recordingAddress } from '../run/load-recording'
import './figure.css'

const NO_FIGURES: readonly ReportFigure[] = []
const NO_REFERENCES: readonly FigureReference[] = []

/** Null: not served, or no JSON. */
const load = (file: string): Promise<unknown> =>
  fetch(recordingAddress(file))
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)

/**
 * Figures of a run with what was recorded elsewhere on their axes. A recording that cannot be had
 * leaves its figure as it is.
 */
function useReferences(
  figures: readonly ReportFigure[] = NO_FIGURES,
  references: readonly FigureReference[] = NO_REFERENCES,
): readonly ReportFigure[] {
  // Only what a figure on the page asks for is fetched.
  const wanted = useMemo(
    () => references.filter(({ figure }) => figures.some(({ id }) => id === figure)),
    [figures, references],
  )
  const files = wanted.map(({ file }) => file).join(' ')
  const { value: recorded } = useLoaded(
    useMemo(
      () =>
        files === ''
          ? null
          : async () =>
              new Map(
                await Promise.all(files.split(' ').map(async (file) => [file, await load(file)] as const)),
              ),
      [files],
    ),
  )
  return useMemo(
    () =>
      figures.map((figure) =>
        !isPointFigure(figure)
          ? figure
          : wanted
              .filter((reference) => reference.figure === figure.id)
              .reduce((drawn, each) => withReference(drawn, each, recorded?.get(each.file)), figure),
      ),
    [figures, wanted, recorded],
  )
}

const Legend = ({ figure }: { readonly figure: ReportFigure }) => (
  <ul className="figure-legend cluster-4-20 small" aria-label="Legend">
    {isGraphFigure(figure) ? (
      <GraphLegend figure={figure} />
    ) : isBarFigure(figure) ? (
      figure.parts.map(({ id, label, hue }) => (
        <li key={id} className="row">
          <FillSwatch hue={hue} />
          {label}
        </li>
      ))
    ) : (
      figure.series.map((series, index) => (
        <li key={series.id} className="row">
          <SeriesSwatch placed={series} index={index} />
          {series.label}
        </li>
      ))
    )}
  </ul>
)

const DataTable = ({ figure }: { readonly figure: ReportFigure }) => {
  const { columns, rows } = tableOfFigure(figure, tickText)
  return (
    <details className="figure-data">
      <summary>As a table</summary>
      <ScrollTable
        label={`${figure.title}, as a table`}
        className="figure-table small"
        columns={columns.map((column) =>
          column === '' ? (
            <span key="unshown" className="visually-hidden">
              Name
            </span>
          ) : (
            column
          ),
        )}
        rows={rows}
      />
    </details>
  )
}

/** Its picture and its legend. */
const Chart = ({ figure }: { readonly figure: ReportFigure }) => {
  const { ref, width } = useWidth()
  const label = `${figure.title}. ${figure.caption}`
  return (
    <>
      <Legend figure={figure} />
      <div ref={ref} className="forced-keep">
        {isGraphFigure(figure) ? (
          <GraphChart figure={figure} width={width} label={label} />
        ) : isBarFigure(figure) ? (
          <BarChart figure={figure} label={label} />
        ) : (
          <PointChart figure={figure} width={width} label={label} />
        )}
      </div>
    </>
  )
}

const FigureView = ({ figure }: { readonly figure: ReportFigure }) => (
  <figure className="figure shrinks stack-12" data-testid={`figure-${figure.id}`}>
    <figcaption>
      <h3>{figure.title}</h3>
      <p>{figure.caption}</p>
    </figcaption>
    <Chart figure={figure} />
    <DataTable figure={figure} />
  </figure>
)

interface BareFigureProps {
  readonly figures: readonly ReportFigure[] | undefined
  readonly id: string
}

/**
 * One chart without its words, in a card that has its own and no room for what was recorded
 * elsewhere.
 */
export const BareFigure = ({ figures, id }: BareFigureProps) => {
  const drawn = figures?.find((figure) => figure.id === id)
  return (
    drawn && (
      <figure className="figure shrinks stack-12" data-testid={`figure-${id}`}>
        <Chart figure={drawn} />
      </figure>
    )
  )
}

interface FiguresProps {
  readonly label?: string
  readonly figures: readonly ReportFigure[] | undefined
  readonly references?: readonly FigureReference[] | undefined
}

export const Figures = ({ figures, references, label = 'Charts of the run' }: FiguresProps) => {
  const drawn = useReferences(figures, references)
  return drawn.length > 0 ? (
    <section className="figures shrinks stack-32" aria-label={label}>
      {drawn.map((figure) => (
        <FigureView key={figure.id} figure={figure} />
      ))}
    </section>
  ) : null
}
