/** An order of profiles that says nothing of them: by chance, once a visitor. */

/** What is known keeps its place; what is new comes behind it by chance; what is gone is left out. @param random 0 to 1, 1 excluded */
export function orderOf(
  kept: readonly string[],
  all: readonly string[],
  random: () => number = Math.random,
): readonly string[] {
  const known = kept.filter((id) => all.includes(id))
  const others = all.filter((id) => !known.includes(id))
  for (let last = others.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random() * (last + 1))
    const [one, other] = [others[last], others[at]]
    if (one !== undefined && other !== undefined) [others[last], others[at]] = [other, one]
  }
  return [...known, ...others]
}

/** One that was explained before is never the first. */
export const notFirst = (order: readonly string[], solved: string): readonly string[] =>
  order[0] === solved ? [...order.slice(1), solved] : order
