/** Names that programs of exercises can use, and what the page says of each (names.md). */
import text from './names.md?raw'

export interface Name {
  /** A sentence, or two. */
  readonly says: string
  /** Parameters as they are written: '(data)'. Left out: it is no function. */
  readonly takes?: string
  /** Names of the value, of a call's result, and of each entry of a list. */
  readonly has?: Names
}
export type Names = Readonly<Record<string, Name>>

/** Names in reach where a program begins. */
export interface Scope {
  readonly globals: Names
  /** By its parameters' names, or by their members' where it takes one object apart. */
  readonly given: Names
}

/** `input` as `prepare.ts` must make it: these names and no others. */
export type Given<T extends Names> = Readonly<Record<keyof T, unknown>>

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

const [, globals = {}, given = {}, ofRank = {}] = text.split(/^## /m).map((section) => namesIn(section))

/** Names of a buffer that the host may map. */
export const MAPPABLE: Names = given['device']?.has?.['createBuffer']?.has ?? {}
export const PIPELINE: Names = given['device']?.has?.['createComputePipelineAsync']?.has ?? {}

const inputOf = (input: Names): Name => ({ has: input, says: 'What the lab has prepared for this run.' })

/** Scope of a program on a device. */
export const onDevice = (input: Names): Scope => ({ globals, given: { input: inputOf(input), ...given } })

/** Scope of a program that several ranks run at once. */
export const onRanks = (input: Names): Scope => ({ globals: {}, given: { input: inputOf(input), ...ofRank } })

/** A pass that the lab has prepared. */
export const passOf = (what: string): Names => ({
  encode: { takes: '(encoder)', says: `Records ${what} into an encoder, as a pass of its own.` },
})
/** One with so many of the same in it. */
export const passesOf = (what: string): Names => ({
  encode: {
    takes: '(encoder, times)',
    says: `Records one pass into an encoder, with ${what} in it \`times\` times; once where that is left out.`,
  },
})
