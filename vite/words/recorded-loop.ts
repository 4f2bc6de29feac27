/** What a script of public/companion/ ran in each step of a recording, as code: so that the page shows no other lines. Pure. */

export interface RecordedLoop {
  /** 'for index in range(10):' */
  readonly head: string
  /** Within it, indented as there, without comments: they say what the recording is to show. */
  readonly body: readonly string[]
}

/** Of the lines of a function, or of a loop. */
const INDENT = 4

const withoutComment = (line: string): string => line.replace(/\s*#.*$/, '').trimEnd()

/**
 * @param name of the recording, as the script has it beside the function that makes a step: `("stalled", stalled)`, `{"pinned": one_stream}`
 * @throws where the script does not say so
 */
export function recordedLoop(script: string, name: string): RecordedLoop {
  const lines = script.split('\n')
  const [, made = ''] = new RegExp(String.raw`"${name}"[,:] ([a-z_]\w*)\b(?!\()`).exec(script) ?? []
  const begin = lines.findIndex((line) => made !== '' && line.startsWith(`def ${made}(`))
  const [, step] = /\((\w+)/.exec(lines[begin] ?? '') ?? []
  const [, steps] = /^STEPS = (\d+)/m.exec(script) ?? []
  if (step === undefined || steps === undefined)
    throw new Error(`The script names no function of a step beside "${name}", or no STEPS.`)
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => /^\S/.test(line))
  const body = rest
    .slice(0, end < 0 ? undefined : end)
    .map(withoutComment)
    .filter((line) => line !== '')
  return { head: `for ${step} in range(${steps}):`, body }
}

export interface OpenLoop {
  /** Common to all, with the head. */
  readonly before: readonly string[]
  /** What fills the place that is left open, of each, from the start of the line. */
  readonly open: readonly (readonly string[])[]
  readonly after: readonly string[]
}

/** @throws where they are no loops of one kind */
export function openLoop(loops: readonly RecordedLoop[]): OpenLoop {
  const [first] = loops
  if (!first || loops.some(({ head }) => head !== first.head))
    throw new Error('The functions take their step by different names.')
  const shortest = Math.min(...loops.map(({ body }) => body.length))
  const isCommon = (at: number) => loops.every(({ body }) => body.at(at) === first.body.at(at))
  let before = 0
  while (before < shortest && isCommon(before)) before += 1
  let after = 0
  while (after < shortest - before && isCommon(-1 - after)) after += 1
  return {
    before: [first.head, ...first.body.slice(0, before)],
    open: loops.map(({ body }) => body.slice(before, body.length - after).map((line) => line.slice(INDENT))),
    after: first.body.slice(first.body.length - after),
  }
}
