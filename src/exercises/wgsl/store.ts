/**
 * The store of fuel that all invocations of a call share, in a bind group behind the program's own.
 * What is left of it is counted on the device as loops run, so that a limit is of work that was
 * done: a kernel of few invocations with long loops has as much of it as one of many with short
 * loops. Each loop that finds it empty leaves a mark there.
 *
 *     for (var i = 0u; i < n; i += 1u) { if (fuel < 1u && !fuelMore(0u, 1u)) { break; } fuel -= 1u; …
 *
 * What an invocation has is private to it and taken from the store in portions, each four times the
 * one before: an atomic operation on one word for each iteration would be most of a kernel's time.
 * Such a counter differs between invocations, so a module in which something must be reached by all
 * of a workgroup (WGSL §15.2) keeps counters of a fixed size, and has the marks alone. One
 * invocation could take for all of its workgroup, but hands over by workgroupUniformLoad() alone,
 * which is a barrier: a loop that only some go round may have none.
 */
export interface Store {
  /** Index of its bind group. */
  readonly group: number
  /** The mark of the module's first loop; the others follow. */
  readonly firstMark: number
  /** Iterations that each invocation has without asking, and its first portion. */
  readonly free: number
  readonly portion: number
}

/** In one store: a word each, behind what is left. */
export const MARKS = 255
const LARGEST_PORTION = 2 ** 14
/** Reached by all invocations of a workgroup, or by none. */
const UNIFORM = /^(?:(?:workgroup|storage|texture)Barrier|workgroupUniformLoad|subgroup\w*|quad[A-Z]\w*)$/

export const needsUniformity = (names: ReadonlySet<string>): boolean =>
  [...names].some((name) => UNIFORM.test(name))

export const markText = (prefix: string, mark: number): string =>
  `atomicStore(&${prefix}Store.ranOut[${String(mark)}u], 1u);`

/** At the head of a loop: an iteration of this weight. */
export const takeText = (prefix: string, mark: number, weight: number): string => {
  const amount = `${String(weight)}u`
  return ` if (${prefix} < ${amount} && !${prefix}More(${String(mark)}u, ${amount})) { break; } ${prefix} -= ${amount};`
}

/** Behind the source, which may end in a comment. */
export function storeText(prefix: string, { group, free, portion }: Store, isShared: boolean): string {
  const at = (binding: number) => `@group(${String(group)}) @binding(${String(binding)})`
  const declared = `
struct ${prefix}Stored { left: atomic<i32>, ranOut: array<atomic<u32>, ${String(MARKS)}> }
${at(0)} var<storage, read_write> ${prefix}Store: ${prefix}Stored;
`
  if (!isShared) return declared
  return `${declared}${at(1)} var<uniform> ${prefix}Price: f32;
var<private> ${prefix}: u32 = ${String(free)}u;
var<private> ${prefix}Portion: u32 = ${String(portion)}u;
fn ${prefix}More(mark: u32, least: u32) -> bool {
  if (atomicLoad(&${prefix}Store.left) <= 0) { atomicStore(&${prefix}Store.ranOut[mark], 1u); return false; }
  var more = ${prefix}Portion;
  if (more < least) { more = least; }
  atomicSub(&${prefix}Store.left, i32(f32(more) * ${prefix}Price) + 1);
  ${prefix} += more;
  if (${prefix}Portion < ${String(LARGEST_PORTION)}u) { ${prefix}Portion *= 4u; }
  return true;
}
`
}
