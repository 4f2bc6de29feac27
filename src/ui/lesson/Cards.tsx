/** Explanations in cards: its idea, its picture, its words, and folded what teaches besides. */
import { useContext, useMemo, type CSSProperties } from 'react'
import type { ExperimentLesson } from '../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'
import { cardsFor, type Card, type CardPicture } from '../../words/card'
import { evaluate, parseExpression } from '../../words/expression'
import type { Reading } from '../../words/template'
import { say } from '../../words/wording'
import { BareFigure } from '../figure/Figures'
import { formatMetric } from '../format'
import { Inline, PartsOfProse, Quantities, ReadingContext } from '../prose/Prose'
import { CardStrips } from './StoryPanel'

/** What pictures are drawn from. */
export interface PicturedRuns {
  readonly lesson: ExperimentLesson
  /** The last of the lesson's own (FIRST_RUN), or of a step's. */
  readonly runOf: (step: string) => RunState | null
}

const quantityOf = (expression: string, { facts, names }: Reading) =>
  evaluate(parseExpression(expression), facts, names)

/** 'ring-2' for '$best'. */
const named = (text: string, { names }: Reading): string =>
  text.replace(/^\$(\w+)$/, (whole, key: string) => names[key] ?? whole)

/** That of the term which its label begins with. */
function hueOf(label: string): CSSProperties {
  const [, term = 'text-2'] = /^\[\[(\w+):/.exec(label) ?? []
  return { '--hue': `var(--${term})` } as CSSProperties
}

/** One below the other from a common zero; shares on an axis to the whole. None where fewer than two were measured. */
const Bars = ({
  bars,
  reading,
}: {
  readonly bars: Extract<CardPicture, { readonly kind: 'bars' }>['bars']
  readonly reading: Reading
}) => {
  const measured = bars.flatMap(({ label, value }) => {
    const quantity = quantityOf(value, reading)
    const name = named(label, reading)
    return quantity ? [{ name, hue: hueOf(label), ...quantity }] : []
  })
  const most = Math.max(...measured.map(({ value, high }) => Math.max(value, high ?? value)))
  if (measured.length < 2 || !(most > 0)) return null
  const whole = measured.every(({ unit }) => unit === 'ratio') && most <= 1 ? 1 : most
  const percent = (value: number) => `${String(Math.max(0, (100 * value) / whole))}%`
  return (
    <dl className="card-bars stack-8">
      {measured.map(({ name, hue, value, low, high, unit }) => (
        <div key={name}>
          <dt>
            <Inline text={name} />
          </dt>
          <dd>
            <Quantities text={say({ value, unit })} />
          </dd>
          <svg aria-hidden="true" width="100%" height="12">
            <rect className="card-bar-ground" width="100%" height="12" />
            <rect className="card-bar" style={hue} width={percent(value)} height="12" />
            {low !== null && high !== null && high > low && (
              <line className="card-bar-interval" x1={percent(low)} x2={percent(high)} y1="6" y2="6" />
            )}
          </svg>
        </div>
      ))}
    </dl>
  )
}

/** Places in a row. A way that was not measured has no figure, and is dashed. None where no way was measured. */
const Flow = ({
  flow: { from, ways },
  reading,
}: {
  readonly flow: Extract<CardPicture, { readonly kind: 'flow' }>
  readonly reading: Reading
}) => {
  const drawn = ways.map(({ value, ...way }) => ({
    ...way,
    quantity: value === null ? null : quantityOf(value, reading),
  }))
  if (drawn.every(({ quantity }) => quantity === null)) return null
  return (
    <ol className="card-flow">
      <li>
        <div className="flow-place">
          <Inline text={from} />
        </div>
      </li>
      {drawn.map(({ label, quantity, to }) => (
        <li key={`${label} ${to}`} data-measured={quantity !== null}>
          <div className="flow-way" style={hueOf(label)}>
            <span>
              <Inline text={label} />
            </span>
            {quantity && (
              <strong>
                <Quantities text={formatMetric({ name: '', ...quantity })} />
              </strong>
            )}
          </div>
          <div className="flow-place">
            <Inline text={to} />
          </div>
        </li>
      ))}
    </ol>
  )
}

const Picture = ({
  picture,
  reading,
  runs,
}: {
  readonly picture: CardPicture
  readonly reading: Reading
  readonly runs: PicturedRuns | null
}) => {
  if (picture.kind === 'bars') return <Bars bars={picture.bars} reading={reading} />
  if (picture.kind === 'flow') return <Flow flow={picture} reading={reading} />
  if (!runs) return null
  const run = runs.runOf(picture.kind === 'chart' && picture.step !== '' ? picture.step : FIRST_RUN)
  if (!run) return null
  return picture.kind === 'strips' ? (
    <CardStrips
      lesson={runs.lesson}
      run={run}
      cut={{ ...picture, variants: picture.variants.map((each) => named(each, reading)) }}
    />
  ) : (
    <BareFigure figures={run.report?.figures} id={picture.figure} />
  )
}

export const Cards = ({
  cards,
  reading: given,
  runs = null,
}: {
  readonly cards: readonly Card[]
  /** Left out: that of the page. */
  readonly reading?: Reading
  /** Null: there is none to draw. */
  readonly runs?: PicturedRuns | null
}) => {
  const around = useContext(ReadingContext)
  const reading = given ?? around
  const shown = useMemo(() => cardsFor(cards, reading), [cards, reading])
  return (
    <ul className="cards" data-count={shown.length}>
      {shown.map(({ idea, words, picture, more }) => (
        <li key={`${idea ?? ''} ${words}`} className="card">
          {idea !== null && (
            <h3>
              <Inline text={idea} />
            </h3>
          )}
          {picture && <Picture {...{ picture, reading, runs }} />}
          {words !== '' && (
            <div className="prose">
              <p>
                <Inline text={words} />
              </p>
            </div>
          )}
          {more.length > 0 && (
            <details className="card-more">
              <summary>
                More<span className="visually-hidden"> on: {idea ?? words}</span>
              </summary>
              <PartsOfProse parts={more} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}
