/** What tests need to know of a WGSL text, read with regular expressions: our files are plain enough, and a test says so. */
export interface UniformMember {
  readonly name: string
  readonly type: string
  readonly offset: number
}

/** Members of the struct that `params` has; all must be 4-byte scalars, so offsets count up by 4. */
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

/** Names by binding number; where a number has two views, the first. */
export function readBindings(code: string): readonly string[] {
  const names: string[] = []
  for (const [, binding = '', name = ''] of code.matchAll(/@group\(0\) @binding\((\d+)\) var<[^>]+> (\w+):/g))
    names[Number(binding)] ??= name
  return names
}

export const readEntryPoints = (code: string): readonly string[] =>
  [...code.matchAll(/@compute @workgroup_size\([^)]*\)\s*fn (\w+)\(/g)].map(([, name = '']) => name)
