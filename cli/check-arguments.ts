/** Arguments of `lab check`. */
import { RULES } from '../src/check/rules'
import { KINDS } from '../src/check/rule'
import { parseCondition } from './fail-if'
import { strictArguments, usageError } from './strict-arguments'

/** Counts of findings: all, of a kind, of a rule; and of questions. */
const CHECK_NAMES: readonly string[] = ['findings', 'questions', ...KINDS, ...RULES.map(({ id }) => id)]

export const CHECK_USAGE = `  npm run lab -- check FILE.py... [--diff] [--json] [--fail-if CONDITION]... [--sarif FILE]
      Reads training loops in Python, without running them: which lines make the host wait for the GPU, copy, or launch many small kernels in
      every step, each with the reason, when it is fine, and a fix. It asks what it can't know.
      --diff       only lines that differ from the last commit.
      --sarif      writes the findings as SARIF 2.1.0 too, for GitHub and editors.
      --fail-if    exit code 1 where it holds of all files together: "findings > 0". Names: findings, questions, ${KINDS.join(', ')};
                   and each rule, such as item or loader-workers.`

export function parseCheck(args: readonly string[]) {
  const { values, positionals } = strictArguments(args, {
    diff: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'fail-if': { type: 'string', multiple: true, default: [] as string[] },
    sarif: { type: 'string' },
  })
  if (positionals.length === 0 || positionals.includes(''))
    throw usageError('Which file? Say check FILE.py….')
  const { sarif = null } = values
  if (sarif === '') throw usageError('--sarif wants a file.')
  return {
    files: positionals as readonly string[],
    /** Only lines that differ from git's last commit. */
    isDiff: values.diff,
    isJson: values.json,
    failIf: values['fail-if'].map((text) =>
      parseCondition(text, { names: CHECK_NAMES, example: 'findings > 0' }),
    ),
    /** To be written. */
    sarif,
  }
}
