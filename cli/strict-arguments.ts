/** What a command was asked for: what is wrong with a call is one line that names it, and exit code 2. */
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

const ADAPTERS = ['auto', 'gpu', 'software'] as const

/** @throws CommandError where there is no such adapter */
export function adapterOf(text: string): AdapterChoice {
  const adapter = ADAPTERS.find((known) => known === text)
  if (!adapter) throw usageError(`--adapter must be one of ${ADAPTERS.join(', ')}; got '${text}'.`)
  return adapter
}
