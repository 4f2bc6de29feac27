/** Explanations in cards: its idea, its picture, its words, and folded what teaches besides. */
import { useContext, useMemo, type CSSProperties } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import type { RunState } from '../../state/run-store'
import { cardsFor, type Card, type CardPicture } from '../../../text/card'
import type { Metric } from '../../../trace/report'
import { evaluate, type Figure } from '../../../text/figure'
import { fill, type Reading } from '../../../text/template'
import { say } from '../../../text/wording'
import { BareFigure } from '../figure/Figures'
import { formatMetric, TIME_NS } from '../format'
import { Inline, PartsOfProse, Quantities } from '../prose/Inline'
import { ReadingContext } from '../prose/Prose'
import { parseInline, plainText } from '../prose/parse-prose'
import { Bar } from '../Bar'
import { CardStrips } from './ExcerptPanel'

/** What pictures are drawn from. */
export interface PicturedRuns {
  readonly lesson: ExperimentLesson
  /** The last of the lesson's own. */
  readonly run: RunState | null
}

const quantityOf = (figure: Figure, { facts, names }: Reading) => evaluate(figure, facts, names)

/** 'ring-2' for '$best'. */
const named = (text: string, { names }: Reading): string =>
  text.replace(/^\$(\w+)$/, (whole, key: string) => names[key] ?? whole)

/** That of the term which its label begins with. */
function hueOf(label: string): CSSProperties {
  const [, term = 'text-2'] = /^\[\[(\w+):/.exec(label) ?? []
  return { '--hue': `var(--${term})` } as CSSProperties
}

interface BarsProps {
  readonly bars: Extract<CardPicture, { readonly kind: 'bars' }>['bars']
  readonly reading: Reading
}

/**
 * One below the other from a common zero; shares on an axis to the whole. None where fewer than two
 * were measured.
 */
const Bars = ({ bars, reading }: BarsProps) => {
  const measured = bars.flatMap(({ label, value, as }) => {
    const quantity = quantityOf(value, reading)
    const name = named(label, reading)
    const said = as && fill({ figure: value, as }, reading)
    return quantity ? [{ name, hue: hueOf(label), text: said ?? say(quantity), ...quantity }] : []
  })
  const lengthOf = (value: number, unit: Metric['unit']) => value * (TIME_NS[unit] ?? 1)
  const most = Math.max(
    ...measured.map(({ value, high, unit }) => lengthOf(Math.max(value, high ?? value), unit)),
  )
  if (measured.length < 2 || !(most > 0)) return null
  const whole = measured.every(({ unit }) => unit === 'ratio') && most <= 1 ? 1 : most
  return (
    <dl className="card-bars small stack-8">
      {measured.map(({ name, hue, text, value, low, high, unit }) => (
        <div key={name}>
          <dt>
            <Inline text={name} />
          </dt>
          <dd className="bold">
            <Quantities text={text} />
          </dd>
          <Bar style={hue} {...{ value, low, high }} most={whole / (TIME_NS[unit] ?? 1)} />
        </div>
      ))}
    </dl>
  )
}

interface FlowProps {
  readonly flow: Extract<CardPicture, { readonly kind: 'flow' }>
  readonly reading: Reading
}

/**
 * Places in a row. A way that was not measured has no figure, and is dashed. None where no way was
 * measured.
 */
const Flow = ({ flow: { from, ways }, reading }: FlowProps) => {
  const drawn = ways.map(({ value, ...way }) => ({
    ...way,
    quantity: value === null ? null : quantityOf(value, reading),
  }))
  if (drawn.every(({ quantity }) => quantity === null)) return null
  return (
    <ol className="card-flow stack small">
      <li>
        <div className="flow-place bold">
          <Inline text={from} />
        </div>
      </li>
      {drawn.map(({ label, quantity, to }) => (
        <li key={`${label} ${to}`} data-measured={quantity !== null}>
          <div className="flow-way stack" style={hueOf(label)}>
            <span>
              <Inline text={label} />
            </span>
            {quantity && (
              <strong>
                <Quantities text={formatMetric({ name: '', ...quantity })} />
              </strong>
            )}
          </div>
          <div className="flow-place bold">
            <Inline text={to} />
          </div>
        </li>
      ))}
    </ol>
  )
}

interface PictureProps {
  readonly picture: CardPicture
  readonly reading: Reading
  readonly runs: PicturedRuns | null
}

const Picture = ({ picture, reading, runs }: PictureProps) => {
  if (picture.kind === 'bars') return <Bars bars={picture.bars} reading={reading} />
  if (picture.kind === 'flow') return <Flow flow={picture} reading={reading} />
  if (!runs) return null
  const { run } = runs
  if (picture.kind === 'chart')
    return <BareFigure figures={run?.report?.figures} id={named(picture.figure, reading)} />
  return (
    run && (
      <CardStrips
        lesson={runs.lesson}
        run={run}
        cut={{ ...picture, variants: picture.variants.map((each) => named(each, reading)) }}
      />
    )
  )
}

/** Bars are low. */
const isTall = (picture: CardPicture | null): boolean => picture !== null && picture.kind !== 'bars'

interface CardsProps {
  readonly cards: readonly Card[]
  /** Left out: that of the page. */
  readonly reading?: Reading
  /** Null: there is none to draw. */
  readonly runs?: PicturedRuns | null
}

export const Cards = ({ cards, reading: given, runs = null }: CardsProps) => {
  const around = useContext(ReadingContext)
  const reading = given ?? around
  const shown = useMemo(() => cardsFor(cards, reading), [cards, reading])
  return (
    <ul className="cards stack-16" data-count={shown.length}>
      {shown.map(({ idea, words, picture, more }) => (
        <li
          key={`${idea ?? ''} ${words}`}
          className={isTall(picture) ? 'card panel shrinks card-tall' : 'card panel shrinks'}
        >
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
                More<span className="visually-hidden"> on: {plainText(parseInline(idea ?? words))}</span>
              </summary>
              <PartsOfProse parts={more} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}
