/**
 * Reads a WGSL text with regular expressions, for tests. Our files are plain enough, and a test
 * confirms it.
 */
export interface UniformMember {
  readonly name: string
  readonly type: string
  readonly offset: number
}

/**
 * Members of the struct that `params` has; all must be 4-byte scalars, so offsets count up by 4.
 */
export function readUniforms(code: string): readonly UniformMember[] {
  const struct = /var<uniform> params: (\w+);/.exec(code)?.[1]
  const body = new RegExp(`struct ${struct ?? ' '} \\{([^}]*)\\}`).exec(code)?.[1]
  if (body === undefined) throw new Error('no uniform block named params')
  return [...body.matchAll(/^\s*(\w+): (\w+),$/gm)].map(([, name = '', type = ''], index) => ({
    name,
    type,
    offset: index * 4,
  }))
}

export const readOverrides = (code: string): readonly string[] =>
  [...code.matchAll(/^override (\w+):/gm)].map(([, name = '']) => name)

type Value = (name: string) => number | undefined

/**
 * Values of all overrides and consts: those given, the others by their initializers. Worked out
 * when asked for.
 */
function overrideValues(code: string, given: Readonly<Record<string, number>>): Value {
  const initials = new Map<string, string>()
  for (const [, name = '', initial = ''] of code.matchAll(/^(?:override|const) (\w+)(?:: \w+)? = ([^;]+);/gm))
    initials.set(name, initial)
  const valueOf: Value = (name) => {
    const initial = initials.get(name)
    return given[name] ?? (initial === undefined ? undefined : evaluate(initial, valueOf))
  }
  return valueOf
}

/**
 * Whole numbers, names, + − * / and brackets: what our overrides and array sizes are made of. u32
 * division cuts off.
 */
function evaluate(expression: string, valueOf: Value): number {
  const tokens = expression.match(/true|false|[A-Z_0-9a-z]+|[-+*/()]/g) ?? []
  let at = 0
  const atom = (): number => {
    const token = tokens[at]
    at += 1
    if (token === '(') {
      const inner = sum()
      at += 1
      return inner
    }
    if (token === 'true' || token === 'false') return Number(token === 'true')
    const value = valueOf(token ?? '') ?? Number.parseInt(token ?? '', 10)
    if (Number.isNaN(value)) throw new Error(`cannot evaluate '${expression}'`)
    return value
  }
  const product = (): number => {
    let value = atom()
    for (; tokens[at] === '*' || tokens[at] === '/';) {
      const operator = tokens[at]
      at += 1
      value = operator === '*' ? value * atom() : Math.floor(value / atom())
    }
    return value
  }
  const sum = (): number => {
    let value = product()
    for (; tokens[at] === '+' || tokens[at] === '-';) {
      const operator = tokens[at]
      at += 1
      value = operator === '+' ? value + product() : value - product()
    }
    return value
  }
  return sum()
}

/** Invocations of a workgroup. */
export function workgroupThreads(code: string, constants: Readonly<Record<string, number>>): number {
  const values = overrideValues(code, constants)
  const sizes = /@workgroup_size\(([^)]*)\)\s*fn main\(/.exec(code)?.[1]
  if (sizes === undefined) throw new Error('no entry point main')
  return sizes.split(',').reduce((threads, size) => threads * evaluate(size, values), 1)
}

const BYTES: Readonly<Record<string, number>> = { f32: 4, u32: 4, vec2f: 8, vec4f: 16 }

/** Bytes of a scalar, a vector, or an array of a known size. */
function sizeOf(type: string, values: Value): number {
  const [, element, count = ''] = /^array<(.+), ([^,>]+)>$/.exec(type) ?? []
  return element === undefined
    ? (BYTES[type] ?? Number.NaN)
    : sizeOf(element, values) * evaluate(count, values)
}

/** Bytes of all workgroup arrays. */
export function workgroupBytes(code: string, constants: Readonly<Record<string, number>>): number {
  const values = overrideValues(code, constants)
  let bytes = 0
  for (const [, type = ''] of code.matchAll(/^var<workgroup> \w+: (.+);/gm)) bytes += sizeOf(type, values)
  return bytes
}
