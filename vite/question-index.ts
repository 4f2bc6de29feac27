/**
 * Questions without their answers, for pages that only lead to them: `virtual:question-index`, all of them, and `virtual:home-questions`, the
 * first of each group.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { recordedIn } from './recorded-figures'
import { parseSections } from './words/sections'

const FILE = resolve(import.meta.dirname, '../src/lessons/questions.md')
const ALL = 'virtual:question-index'
const HOME = 'virtual:home-questions'
const resolved = (name: string) => `\0${name}`

export const questionIndex = (): Plugin => ({
  name: 'question-index',
  resolveId: (id) => (id === ALL || id === HOME ? resolved(id) : null),
  async load(id) {
    if (id !== resolved(ALL) && id !== resolved(HOME)) return null
    this.addWatchFile(FILE)
    const source = readFileSync(FILE, 'utf8')
    const all = parseSections(source, FILE, await recordedIn([source])).map(
      ({ id: slug, heading, group = '', text }) => {
        const last = text.at(-1)
        const lesson =
          typeof last === 'string' ? /\]\(\.\/lessons\/([a-z0-9-]+)\//.exec(last)?.[1] : undefined
        return { id: slug, heading, group, lesson: lesson ?? null }
      },
    )
    if (id === resolved(ALL)) return `export const questionIndex = ${JSON.stringify(all)}`
    const first = all.filter(({ group }, at) => all.findIndex((other) => other.group === group) === at)
    return [
      `export const homeQuestions = ${JSON.stringify(first.map(({ id: slug, heading }) => ({ id: slug, heading })))}`,
      `export const questionCount = ${String(all.length)}`,
    ].join('\n')
  },
})
