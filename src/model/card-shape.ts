/** A card from a file, or from what the browser keeps: never believed. Any card has what the H200's has. */
import { isRecord } from '../base/is-record'
import type { Card } from './card'
import { h200 } from './cards/h200'

/** Of an environment, and of kernels. */
const MAY_LACK = ['ranks', 'below', 'completions', 'copyTimingWorks', 'subgroupMinSize', 'subgroupMaxSize']

/** The first that is wrong: 'PATH is not …'; null: it is a card. */
export const problemOfCard = (value: unknown): string | null => problemIn(value, h200, 'card')
export const isCard = (value: unknown): value is Card => problemOfCard(value) === null

function problemIn(value: unknown, like: unknown, path: string): string | null {
  if (typeof like === 'number') {
    // A recording may lack a figure of its environment, and the model asks for none of them.
    if (value === null && path.startsWith('card.environment.')) return null
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
      ? null
      : `${path} is not a number from 0`
  }
  if (Array.isArray(like)) {
    if (!Array.isArray(value)) return `${path} is not a list`
    return first(value.map((each: unknown, at) => problemIn(each, like[0], `${path}[${String(at)}]`)))
  }
  if (isRecord(like)) {
    if (!isRecord(value)) return `${path} is not an object`
    return first(
      Object.entries(like).map(([name, own]) =>
        value[name] === undefined && MAY_LACK.includes(name)
          ? null
          : problemIn(value[name], own, `${path}.${name}`),
      ),
    )
  }
  return typeof value === typeof like ? null : `${path} is not of the kind ${typeof like}`
}

const first = (problems: readonly (string | null)[]): string | null =>
  problems.find((problem) => problem !== null) ?? null
