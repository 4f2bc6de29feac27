import { parseArgs, type ParseArgsConfig } from 'node:util'
import { CommandError } from '../cli/terminal.mjs'

/** @throws CommandError with exit code 2 where there is an option that is not known, or one without its value */
export function strictArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], options }).values
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw new CommandError(`${thrown.message.split('. ')[0] ?? ''}. See npm run bench -- --help.`, 2)
  }
}
