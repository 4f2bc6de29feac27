import { describe, expect, it } from 'vitest'
import { lab } from './lab-commands'
import { parseRun } from './lab-arguments'
import { CommandError } from './terminal.mjs'

const refusal = async (...args: readonly string[]): Promise<string> => {
  try {
    await lab(args)
  } catch (thrown) {
    if (thrown instanceof CommandError && thrown.exitCode === 2) return thrown.message
    throw thrown
  }
  throw new Error(`accepted: ${args.join(' ')}`)
}

describe('lab arguments', () => {
  it('keeps only what was set, as the page reads it', async () => {
    const parsed = await parseRun([
      'sync-stalls',
      '--set',
      'steps=6',
      '--set',
      'every=never,every-step',
      '--out',
      'x',
    ])
    expect(parsed).toMatchObject({
      meta: { id: 'sync-stalls' },
      params: { steps: '6', every: 'never,every-step' },
      adapter: 'auto',
      out: 'x',
    })
  })

  it('takes an = inside a value', async () =>
    expect(await refusal('run', 'sync-stalls', '--set', 'kernel=a=b')).toContain("got 'a=b'"))

  it.each([
    [[], 'Say list, run, record, record-lessons, analyze or check'],
    [['walk'], "Unknown command 'walk'"],
    [
      ['record', 'ranks', '--seconds', '9'],
      "'ranks' is no address of a page. Lessons are recorded by 'record-lessons ranks --seconds 9'",
    ],
    [['run'], 'Which experiment? There are async-submission'],
    [['run', 'nothing'], "Unknown experiment 'nothing'; there are async-submission, "],
    [['run', 'sync-stalls', 'extra'], 'One experiment at a time'],
    [['run', 'sync-stalls', '--adapter', 'cpu'], "--adapter must be one of auto, gpu, software; got 'cpu'"],
    [['run', 'sync-stalls', '--set', 'steps'], "--set wants name=value; got 'steps'"],
    [['run', 'sync-stalls', '--set', 'stepz=3'], "has no parameter 'stepz'"],
    [['run', 'sync-stalls', '--set', 'steps=0'], "'steps' must be an integer from 2 to 512; got '0'"],
    [['run', 'sync-stalls', '--set', '__proto__=1'], "no parameter '__proto__'"],
    [['run', 'sync-stalls', '--set', 'constructor=1'], "no parameter 'constructor'"],
    [['run', 'sync-stalls', '--set', 'steps=4', '--set', 'steps=5'], "'steps' is set twice"],
    [['run', 'sync-stalls', '--sett', 'steps=4'], "Unknown option '--sett'"],
    [['list', '--jsonn'], "Unknown option '--jsonn'"],
    [['list', '--json', '--more'], "Unknown option '--more'"],
  ])('%j is refused in one line', async (args, message) => {
    const refused = await refusal(...args)
    expect(refused).toContain(message)
    expect(refused).not.toContain('\n')
  })
})
