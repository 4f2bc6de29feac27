/**
 * Places in a Python script, as a profile can name them: torch.profiler names a function by the line it begins at, never the line of a
 * call, so every line of a function is one place. What is in no function is one place too.
 */

/** Of the lines outside every function, by Python's own name for them. */
export const MODULE = '<module>'
/** Of the answer that no line is at fault. */
export const NOWHERE = 'none'

export interface ScriptFunction {
  /** 'load', 'Prefetch.copy_next' */
  readonly name: string
  /** First and last line, counted from 1; the first has the `def`. */
  readonly begin: number
  readonly end: number
}

const DEFINITION = /^( *)(?:async )?(def|class) (\w+)/

const isBlank = (line: string): boolean => line.trim() === ''
/** A signature over several lines closes at the indent it began at. */
const closesSignature = (line: string): boolean => /^ *\)/.test(line)

/** Of those that lie in each other the outer one comes first. */
export function functionsOf(lines: readonly string[]): readonly ScriptFunction[] {
  const classes: { readonly name: string; readonly end: number }[] = []
  const functions: ScriptFunction[] = []
  for (const [at, line] of lines.entries()) {
    const [, indent = '', keyword, name = ''] = DEFINITION.exec(line) ?? []
    if (keyword === undefined) continue
    let end = at + 1
    for (let next = at + 1; next < lines.length; next += 1) {
      const text = lines[next] ?? ''
      if (isBlank(text)) continue
      if (text.search(/\S/) <= indent.length && !closesSignature(text)) break
      end = next + 1
    }
    if (keyword === 'class') classes.push({ name, end })
    else {
      const around = classes.findLast((each) => at < each.end)
      functions.push({ name: around ? `${around.name}.${name}` : name, begin: at + 1, end })
    }
  }
  return functions
}

/** The function that a line lies in, the innermost one; undefined: none. */
export const functionAt = (functions: readonly ScriptFunction[], line: number): ScriptFunction | undefined =>
  functions.findLast(({ begin, end }) => line >= begin && line <= end)

/** The place of a line: a function's name, or MODULE. */
export const placeAt = (functions: readonly ScriptFunction[], line: number): string =>
  functionAt(functions, line)?.name ?? MODULE

/** Of a module's text before the first statement: the lines of its docstring; 0 where it has none. */
export function docstringLines(lines: readonly string[]): number {
  if (!lines[0]?.startsWith('"""')) return 0
  const closing = lines.findIndex((line, at) => line.endsWith('"""') && (at > 0 || line.length > 5))
  return closing + 1
}
