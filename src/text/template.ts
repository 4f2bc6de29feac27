/**
 * Sentences over figures, as data. A placeholder is an expression (expression.ts) in braces, with a format behind '|' where the figure
 * is not quoted as it stands:
 *
 *     {step-ms never}                          the metric, as the reader of the text quotes metrics
 *     {slowdown $often | times}                a factor: '4.03 times'
 *     {a / b | times}                          a ratio in two digits: '9.1 times'
 *     {kernel-ms queued / submit-us queued | at-least}    the smallest ratio that both intervals allow
 *     {device-busy-ratio $often | idle}        'idle 10 of every 11 milliseconds'
 *     {crossover-n round-trip | about}         two figures
 *     {torch-ranks:ways.oneMs}                 a figure of a file under public/recordings/ (recorded.ts)
 *     {torch-kernel-ladder:kernels.naive | ms} a number of a file that names no unit
 *     {$often}, {param.read}, {derived.matrixSize}        words and numbers as they are
 *
 * A sentence with a figure that was not measured is dropped whole. Pure.
 */
import type { Metric } from '../trace/report'
import { holds, type Condition } from './condition'
import { evaluate, metricOf, parseExpression, type Quantity } from './expression'
import type { Facts, Names } from './facts'
import { IN_MS } from './units'
import { about, factorInWords, idleInWords, inTimes, say } from './wording'

/** Sentences of one paragraph, those of a list joined; a choice takes its text where its condition holds, else the other. */
export type Text = string | Choice | readonly Text[]
interface Choice {
  readonly when: Condition
  readonly text: Text
  readonly otherwise?: Text
}

export interface Reading {
  readonly facts: Facts
  readonly names: Names
  /** How a metric that was measured is quoted: short in a verdict, with its bounds in an explanation. */
  readonly metric: (metric: Metric) => string
  /** Factors too are quoted with their interval. */
  readonly withBounds: boolean
}

const UNITS = ['ms', 'us', 'GB/s', 'bytes'] as const
const FORMATS = ['times', 'at-least', 'idle', 'about', ...UNITS] as const
type Format = (typeof FORMATS)[number]
const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text)

/** A text's sentences. A full stop inside a number or a name is followed by no blank, and one in braces ends nothing. */
const sentencesOf = (text: string): readonly string[] =>
  (text.match(/(?:\{[^{}]*\}|[^{])*?[.!?](?=[*)'"”]*(\s|$))[*)'"”]*|[^]+$/g) ?? [])
    .map((each) => each.trim())
    .filter(Boolean)

export interface Placeholder {
  readonly expression: string
  readonly format: Format | null
}
/** Throws where a format does not exist. */
export function placeholdersOf(text: string): readonly Placeholder[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map(([, inner = '']) => {
    const [expression = '', format] = inner.split('|').map((part) => part.trim())
    if (format !== undefined && !isFormat(format)) throw new Error(`'${inner}' has an unknown format.`)
    return { expression, format: format ?? null }
  })
}

/** A time in another unit; what has no unit is taken to be in this one. */
function inUnit({ value, unit }: Quantity, wanted: Quantity['unit'], expression: string): number {
  const [from, to] = [IN_MS[unit], IN_MS[wanted]]
  if (from !== undefined && to !== undefined) return (value * from) / to
  if (unit !== 'count' && unit !== wanted) throw new Error(`'${expression}' is in ${unit}, not in ${wanted}.`)
  return value
}

/** Null where it was not measured. */
export function fill(
  { expression, format }: Placeholder,
  { facts, names, metric: quote, withBounds }: Reading,
): string | null {
  if (expression.startsWith('$')) return names[expression.slice(1)] ?? null
  const [, from, name] = /^(param|derived)\.(\w+)$/.exec(expression) ?? []
  if (name !== undefined && format === null) {
    const value = (from === 'param' ? facts.params : facts.derived)[name]
    return value === undefined
      ? null
      : typeof value === 'number'
        ? say({ value, unit: 'count' })
        : String(value)
  }
  const parsed = parseExpression(expression)
  const quantity = evaluate(parsed, facts, names)
  if (!quantity) return null
  const metric = metricOf(parsed, facts, names)
  switch (format) {
    case null:
      return metric ? quote(metric) : say(quantity)
    case 'times':
      return metric
        ? factorInWords(withBounds ? quantity : { ...quantity, low: null })
        : inTimes(quantity.value)
    case 'at-least':
      return quantity.low === null ? null : inTimes(quantity.low)
    case 'idle':
      return idleInWords(quantity.value)
    case 'about':
      return about(quantity.value)
    default:
      return say({ value: inUnit(quantity, format, expression), unit: format })
  }
}

function renderSentence(sentence: string, reading: Reading): string | null {
  const figures = placeholdersOf(sentence).map((placeholder) => fill(placeholder, reading))
  if (figures.includes(null)) return null
  // Between the placeholders, which split() takes out, stand the words.
  return sentence
    .split(/\{[^{}]+\}/)
    .map((words, index) => words + (figures[index] ?? ''))
    .join('')
}

/** One paragraph; null where nothing of it can be stated. */
export function render(text: Text, reading: Reading): string | null {
  if (typeof text === 'string') {
    const kept = sentencesOf(text).map((sentence) => renderSentence(sentence, reading))
    return joined(kept)
  }
  if (isList(text)) return joined(text.map((part) => render(part, reading)))
  if (holds(text.when, reading.facts, reading.names)) return render(text.text, reading)
  return text.otherwise === undefined ? null : render(text.otherwise, reading)
}

// Array.isArray does not narrow readonly arrays out of a union.
const isList = (text: Text): text is readonly Text[] => Array.isArray(text)

const joined = (parts: readonly (string | null)[]): string | null => {
  const kept = parts.filter((part) => part !== null && part !== '')
  return kept.length > 0 ? kept.join(' ') : null
}
