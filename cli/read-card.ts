/** Cards of the model, as commands take them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Card } from '../src/model/card'
import { problemOfCard } from '../src/model/card-shape'
import { cuda } from '../src/model/cards/cuda'
import { h200 } from '../src/model/cards/h200'
import { cardOf } from '../src/model/fit'
import type { Report } from '../src/trace/report'
import { CommandError, ROOT } from './terminal.mjs'

/** Fitted from what a lesson's run calibrated there, as it was recorded (keep-reports.mjs): SwiftShader, and Firefox on llvmpipe. */
async function recordedOn(adapter: string): Promise<Card> {
  const kept = await readFile(join(ROOT, 'src/lessons/testing', `runs-${adapter}.br`))
  const reports = JSON.parse(brotliDecompressSync(kept).toString('utf8')) as Readonly<Record<string, Report>> // written by keep-reports.mjs
  const card = Object.values(reports)
    .map(cardOf)
    .find((each) => each !== null)
  if (!card) throw new CommandError(`Nothing was calibrated in the recorded runs on ${adapter}.`, 1)
  return card
}

const CARDS: Readonly<Record<string, () => Card | Promise<Card>>> = {
  h200: () => h200,
  cuda: () => cuda,
  software: () => recordedOn('swiftshader'),
  firefox: () => recordedOn('firefox'),
}

/** One of the lab's by its name, or a file with the same fields as JSON. @throws CommandError with exit code 2 */
export async function readCard(name: string): Promise<Card> {
  const known = Object.hasOwn(CARDS, name) ? CARDS[name] : undefined
  if (known) return await known()
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
