/**
 * Questions as people type them, each with an address of its own (`q/<id>/`): the answer in its
 * first line, a measured figure, a fix to copy, and the way into the lab as its last paragraph. A
 * link to one is there to be pasted as an answer.
 */
import type { SectionWithCode } from './lesson'
import { sections } from './questions.md'

export interface AskedQuestion extends SectionWithCode {
  readonly id: string
  /** The question's last paragraph, `[label](./lessons/…)`, leads to where it is measured. */
  readonly action: { readonly label: string; readonly address: string }
}

const ACTION = /^\[([^\]]+)\]\((\.\/[^)\s]+)\)$/

export const questions: readonly AskedQuestion[] = sections.map((section) => {
  const last = section.text.at(-1)
  const [, label, address] = (typeof last === 'string' ? ACTION.exec(last) : null) ?? []
  if (label === undefined || address === undefined)
    throw new Error(`The question '${section.id}' does not end with a link into the lab.`)
  return { ...section, text: section.text.slice(0, -1), action: { label, address } }
})

export const findQuestion = (id: string): AskedQuestion | undefined =>
  questions.find((each) => each.id === id)
