/**
 * `virtual:NAME`: what pages show of lessons, questions and recordings, worked out while the site
 * is built. Each is a module of its own, so that a page loads no more than it shows. virtual.d.ts
 * has their types.
 */
import type { Plugin } from 'vite'
import { dataModule } from './data-module'
import { findDays } from './find-days'
import { firstQuestion, lessonGoals, lessonIndex } from './lesson-index'
import { libraryRecordings } from './library-recordings'
import { once } from './once'
import { homeQuestions, questionFigures, questionIndex, searchIndex } from './question-index'
import { recordedPage } from './recorded-page'
import { recordings } from './recordings'
import { wordsFiles } from './words-md'

const DATA = {
  'find-days': findDays,
  'first-question': firstQuestion,
  'home-questions': homeQuestions,
  'lesson-goals': lessonGoals,
  'lesson-index': lessonIndex,
  'library-recordings': libraryRecordings,
  'question-figures': questionFigures,
  'question-index': questionIndex,
  'recorded-page': recordedPage,
  recordings,
  'search-index': searchIndex,
}
type Name = keyof typeof DATA
/** For virtual.d.ts. @public */
export type SiteData = { readonly [Of in Name]: Awaited<ReturnType<(typeof DATA)[Of]>> }

const names = Object.keys(DATA).join('|')

export const siteData = (): Plugin => ({
  name: 'site-data',
  resolveId: { filter: { id: new RegExp(`^virtual:(${names})$`) }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: new RegExp(`^\0virtual:(${names})$`) },
    async handler(id) {
      for (const file of wordsFiles()) this.addWatchFile(file)
      return dataModule(await once(id, () => DATA[id.replace(/^.*:/, '') as Name]())) // by the filter
    },
  },
})
