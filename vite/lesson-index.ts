/**
 * `virtual:lesson-index`: what the home page says of each lesson, taken from the lessons themselves while the site is built, so that
 * the first page does not load the words of all of them. `virtual:lesson-goals`: what teachers are told besides, which no other page loads.
 */
import type { Plugin } from 'vite'
import { hasMend, readLessons } from './words-md'

const NAME = 'virtual:lesson-index'
const GOALS = 'virtual:lesson-goals'
const NAMES: readonly string[] = [NAME, GOALS]

export const lessonIndex = (): Plugin => ({
  name: 'lesson-index',
  resolveId: (id) => (NAMES.includes(id) ? `\0${id}` : null),
  load(id) {
    if (id === `\0${GOALS}`) {
      const goals = readLessons().map((lesson) => {
        this.addWatchFile(lesson.file)
        return [lesson.id, lesson.objectives] as const
      })
      return `export const lessonGoals = ${JSON.stringify(Object.fromEntries(goals))}`
    }
    if (id !== `\0${NAME}`) return null
    const index = readLessons().map((lesson) => {
      this.addWatchFile(lesson.file)
      const { kind, number, title, question, measures, minutes, mends, prediction, quiz } = lesson
      const { unit, scale } = prediction
      const head = { id: lesson.id, kind, number, title, question, measures, minutes, mends, unit, scale }
      const profiles = lesson.kind === 'profiles' ? lesson.profiles.length : 0
      return { ...head, questions: quiz.length, hasMend: hasMend(lesson.id), profiles }
    })
    return `export const lessonIndex = ${JSON.stringify(index)}`
  },
})
