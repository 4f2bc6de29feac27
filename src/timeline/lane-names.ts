/** Shortens a lane's name by what its group says already. */

/** 'staging 0' in the group 'staging' is '0'; 'queue' in 'queue' is nothing. */
function shortLaneName(name: string, group: string): string {
  const rest = name.toLowerCase().startsWith(group.toLowerCase()) ? name.slice(group.length).trim() : name
  return /^\((.*)\)$/.exec(rest)?.[1] ?? rest
}

const RANK = ' · '

/**
 * In joined ranks both names begin with the rank: 'rank 0 · stream 7' in 'rank 0 · device 0' is
 * 'stream 7' of 'rank 0'.
 */
export function namesOf(name: string, group: string): { readonly title: string; readonly label: string } {
  const [first = '', ...rest] = group.split(RANK)
  const prefix = first + RANK
  if (rest.length === 0 || !name.startsWith(prefix))
    return { title: group, label: shortLaneName(name, group) }
  const own = rest.join(RANK)
  return { title: first, label: shortLaneName(name.slice(prefix.length), own) || own }
}
