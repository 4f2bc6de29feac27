/**
 * What a command was asked for: what is wrong with a call is one line that names it, and exit code
 * 2.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { AdapterChoice } from './adapters.mjs'
import { CommandError } from './terminal.mjs'

export const usageError = (message: string): CommandError => new CommandError(message, 2)

type Options = NonNullable<ParseArgsConfig['options']>

/** @throws CommandError where an option is not known, or lacks its value */
export function strictArguments<const Known extends Options>(argv: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw usageError(`${thrown.message.split('. ')[0] ?? ''}. See --help.`)
  }
}

/** @throws CommandError also where there is anything else */
export function optionsAlone<const Known extends Options>(argv: readonly string[], options: Known) {
  const { values, positionals } = strictArguments(argv, options)
  const [unexpected] = positionals
  if (unexpected !== undefined) throw usageError(`Unexpected argument '${unexpected}'. See --help.`)
  return values
}

const ADAPTERS = ['auto', 'gpu', 'software'] as const satisfies readonly AdapterChoice[]

/** @throws CommandError where the option has another value than these */
export function oneOf<Value extends string>(option: string, text: string, known: readonly Value[]): Value {
  const found = known.find((each) => each === text)
  if (found === undefined) throw usageError(`${option} must be one of ${known.join(', ')}; got '${text}'.`)
  return found
}

export const adapterOf = (text: string): AdapterChoice => oneOf('--adapter', text, ADAPTERS)

/** @throws CommandError where the option is no integer in this range */
export function integerOf(option: string, text: string, least: number, most: number): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw usageError(`${option} must be an integer from ${String(least)} to ${String(most)}; got '${text}'.`)
}
