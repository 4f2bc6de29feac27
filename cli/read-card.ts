/** Cards of the model, as commands take them. */
import { readFile } from 'node:fs/promises'
import type { Card } from '../src/model/card'
import { problemOfCard } from '../src/model/card-shape'
import { cuda } from '../src/model/cards/cuda'
import { h200 } from '../src/model/cards/h200'
import { CommandError } from './terminal.mjs'

const CARDS: Readonly<Record<string, Card>> = { h200, cuda }

/** One of the lab's by its name, or a file with the same fields as JSON. @throws CommandError with exit code 2 */
export async function readCard(name: string): Promise<Card> {
  const known = CARDS[name]
  if (known) return known
  const text = await readFile(name, 'utf8').catch(() => null)
  if (text === null)
    throw new CommandError(
      `There is no card '${name}', and no such file; there is ${Object.keys(CARDS).join(', ')}.`,
      2,
    )
  const card = readJson(name, text)
  const problem = problemOfCard(card)
  if (problem !== null) throw new CommandError(`'${name}' is no card: ${problem}.`, 2)
  return card as Card // whose every field was looked at
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CommandError(`'${name}' is no JSON.`, 2)
  }
}
