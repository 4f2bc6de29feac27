/** Names that programs of exercises can use, and what the page says of each. */
import shared from './names.md?raw'

interface Name {
  /** A sentence, or two. */
  readonly says: string
  /** Parameters as they are written: '(data)'. Left out: it is no function. */
  readonly takes?: string
  /** Names of the value, of a call's result, and of each entry of a list. */
  readonly has?: Names
}
export type Names = Readonly<Record<string, Name>>

/** A list of names, and the lists below them. */
function namesIn(list: string, indent = ''): Names {
  const items = list.split(new RegExp(`^${indent}- `, 'm')).slice(1)
  return Object.fromEntries(
    items.map((item) => {
      const [, name = '', takes, says = ''] = /^`(\w+)(\(.*\))?`: (.+)/.exec(item) ?? []
      const has = namesIn(item, `${indent}  `)
      return [name, { says, ...(takes && { takes }), ...(Object.keys(has).length > 0 && { has }) }]
    }),
  )
}

const sectionsOf = (text: string) =>
  text.split(/^## /m).map((section) => [section.split('\n', 1)[0] ?? '', namesIn(section)] as const)

const SHARED = new Map(sectionsOf(shared))

/**
 * All that an exercise's program can use.
 * @param own what `mend.md` has under `# Names`: the heading says where it runs
 */
export function namesOf(own: string): Names {
  const [, [place, names] = ['', {}]] = sectionsOf(own)
  return { ...names, ...SHARED.get(place) }
}
