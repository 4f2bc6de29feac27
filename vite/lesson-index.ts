/**
 * `virtual:lesson-index`: what the home page says of each lesson, taken from the lessons themselves while the site is built, so that
 * the first page does not load the words of all of them.
 */
import { resolve } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { Lesson } from '../src/lessons/lesson'

const NAME = 'virtual:lesson-index'
const RESOLVED = `\0${NAME}`

export const lessonIndex = (): Plugin => ({
  name: 'lesson-index',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  async load(id) {
    if (id !== RESOLVED) return null
    const catalog = resolve(import.meta.dirname, '../src/lessons/catalog.ts')
    const { module, dependencies } = await runnerImport<{ lessons: readonly Lesson[] }>(catalog, {
      configFile: false,
      logLevel: 'error',
    })
    for (const file of [catalog, ...dependencies]) this.addWatchFile(file)
    const index = module.lessons.map(
      ({ id, number, title, question, measures, minutes, experiment, prediction, quiz }) => ({
        id,
        number,
        title,
        question,
        measures,
        minutes,
        experiment,
        unit: prediction.unit,
        scale: prediction.scale,
        metric: prediction.metric,
        questions: quiz.length,
      }),
    )
    return `export const lessonIndex = ${JSON.stringify(index)}`
  },
})
