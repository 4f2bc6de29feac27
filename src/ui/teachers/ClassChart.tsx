/** The histogram of a class's figures with its medians, and the same as tables. */
import { useId, type CSSProperties } from 'react'
import type { ClassResults } from '../../teaching/class-results'
import { soundRows } from '../../teaching/class-results'
import { formatFigures, withUnit } from '../format'
import { tickText } from '../figure/axes'
import { useWidth } from '../figure/use-width'
import { FillPatterns, FillSwatch, fillOf } from '../figure/marks'
import {
  GROUPS,
  histogramOf,
  layOutHistogram,
  summariesOf,
  type Asked,
  type Histogram,
  type Panel,
  type Values,
} from './histogram'
import { useWords } from './use-words'
import '../figure/figure.css'

const PREDICTED = 'host'
const NAMES: Readonly<Record<Panel['id'], string>> = { predicted: 'Predicted', measured: 'Measured' }

const valuesOf = (results: ClassResults): Values => {
  const rows = soundRows(results)
  return {
    predicted: rows.flatMap(({ predicted }) => (predicted === null ? [] : [predicted])),
    measured: rows.flatMap(({ measured, completion }) =>
      measured === null ? [] : [{ group: completion?.adapter ?? ('plain' as const), value: measured }],
    ),
  }
}

const say = (value: number, unit: string) => withUnit(formatFigures(value), unit)

const Chart = ({ histogram, values }: { readonly histogram: Histogram; readonly values: Values }) => {
  const { ref, width } = useWidth()
  const id = useId()
  const layout = layOutHistogram(histogram, values, width)
  const { unit } = histogram.axis
  return (
    <div ref={ref}>
      <svg
        className="figure-svg"
        viewBox={`0 0 ${String(layout.width)} ${String(layout.height)}`}
        role="img"
        aria-label="How many lines lie where: predictions above, measurements below. The tables have the same."
      >
        <FillPatterns owner={id} />
        {layout.panels.map(({ id: name, top, bottom, bars, ticks, median }) => (
          <g key={name}>
            {ticks.map(({ at, text }) => (
              <g key={at}>
                <line className="figure-grid" x1={layout.left} x2={layout.right} y1={at} y2={at} />
                <text className="figure-tick" x={layout.left - 8} y={at + 4} textAnchor="end">
                  {text}
                </text>
              </g>
            ))}
            <text className="figure-bar-name" x={layout.left} y={top - 9}>
              {NAMES[name]}
            </text>
            {bars.map(({ group, count, x, y, width: length, height }) => {
              const hue = GROUPS.find((each) => each.id === group)?.hue ?? PREDICTED
              return (
                <rect
                  key={`${String(group)} ${String(x)}`}
                  className="figure-part"
                  style={{ '--hue': `var(--${hue})` } as CSSProperties}
                  x={x}
                  y={y}
                  width={length}
                  height={height}
                  fill={hue === 'idle' ? 'none' : fillOf(id, hue)}
                >
                  <title>{`${NAMES[name]}: ${String(count)}`}</title>
                </rect>
              )
            })}
            <line className="figure-axis" x1={layout.left} x2={layout.right} y1={bottom} y2={bottom} />
            {median !== null && (
              <>
                <line className="figure-threshold" x1={median} x2={median} y1={top - 4} y2={bottom} />
                <text
                  className="figure-label"
                  x={median + (median > layout.width - 90 ? -5 : 5)}
                  y={top + 2}
                  textAnchor={median > layout.width - 90 ? 'end' : 'start'}
                >
                  median
                </text>
              </>
            )}
          </g>
        ))}
        {layout.ticks.map(({ at, text }) => (
          <g key={at}>
            <line
              className="figure-axis"
              x1={at}
              x2={at}
              y1={layout.panels[1]?.bottom}
              y2={(layout.panels[1]?.bottom ?? 0) + 5}
            />
            <text
              className="figure-tick"
              x={at}
              y={(layout.panels[1]?.bottom ?? 0) + 19}
              textAnchor={at > layout.width - 20 ? 'end' : 'middle'}
            >
              {text}
            </text>
          </g>
        ))}
        {unit !== '' && (
          <text className="figure-axis-name" x={layout.right} y={layout.height - 4} textAnchor="end">
            {unit}
          </text>
        )}
      </svg>
    </div>
  )
}

const Tables = ({ histogram, values }: { readonly histogram: Histogram; readonly values: Values }) => {
  const { unit } = histogram.axis
  const groups = GROUPS.filter(({ id }) => values.measured.some(({ group }) => group === id))
  return (
    <details className="figure-data">
      <summary>The histogram as a table</summary>
      {/* On a narrow page it scrolls sideways, which must be possible by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="The histogram as a table">
        <table className="figure-table" data-testid="class-bins">
          <thead>
            <tr>
              <th scope="col">{unit === '' ? 'Range' : `Range, ${unit}`}</th>
              <th scope="col">predicted</th>
              {groups.map(({ id, label }) => (
                <th key={id} scope="col">
                  measured: {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {histogram.bins.map((each) => (
              <tr key={each.from}>
                <th scope="row">{`${tickText(each.from)} to ${tickText(each.to)}`}</th>
                <td>{each.predicted}</td>
                {groups.map(({ id }) => (
                  <td key={id}>{each.measured[id] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const Figure = ({ results, asked }: { readonly results: ClassResults; readonly asked: Asked }) => {
  const values = valuesOf(results)
  const histogram = histogramOf(values, asked)
  if (!histogram) return null
  const groups = GROUPS.filter(({ id }) => values.measured.some(({ group }) => group === id))
  return (
    <figure className="figure" data-testid="class-chart">
      <figcaption>
        <h2>Predicted and measured</h2>
        <p>
          Lines that count, each once, on one axis: what was predicted above, what was measured below, by the
          kind of adapter. Dotted: the median.
        </p>
      </figcaption>
      <ul className="figure-legend" aria-label="Legend">
        <li>
          <FillSwatch hue={PREDICTED} />
          predicted
        </li>
        {groups.map(({ id, label, hue }) => (
          <li key={id}>
            <FillSwatch hue={hue} />
            {label}
          </li>
        ))}
      </ul>
      <Chart histogram={histogram} values={values} />
      <div className="table-scroll">
        <table className="figure-table" data-testid="class-medians">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Which</span>
              </th>
              <th scope="col">lines</th>
              <th scope="col">median</th>
              <th scope="col">middle half</th>
            </tr>
          </thead>
          <tbody>
            {summariesOf(values).map(({ label, count, median, middle }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{count}</td>
                <td>{say(median, asked.unit)}</td>
                <td>
                  {middle
                    ? `${say(middle[0], asked.unit)} to ${say(middle[1], asked.unit)}`
                    : 'fewer than four'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Tables histogram={histogram} values={values} />
    </figure>
  )
}

const OfLesson = ({ id, results }: { readonly id: string; readonly results: ClassResults }) => {
  const lesson = useWords(id)
  const { unit } = results
  const questions =
    lesson?.kind === 'experiment'
      ? [
          lesson.prediction,
          ...(lesson.prediction.withoutTimestamps ? [lesson.prediction.withoutTimestamps] : []),
        ]
      : lesson
        ? [lesson.prediction]
        : []
  const question = questions.find((each) => each.unit === unit)
  return (
    <Figure
      results={results}
      asked={{
        unit,
        range: question ? [question.min, question.max] : null,
        doublings: question?.doublings ?? false,
      }}
    />
  )
}

export const ClassChart = ({ results }: { readonly results: ClassResults }) =>
  results.lesson === null ? (
    <Figure results={results} asked={{ unit: results.unit, range: null, doublings: false }} />
  ) : (
    <OfLesson key={results.lesson} id={results.lesson} results={results} />
  )
