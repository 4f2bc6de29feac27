import { readdirSync } from 'node:fs'
import { DIST } from '../cli/build-site.mjs'

/** The files of the site's pages: 'lessons/sync-stalls/index.html'. */
export const builtPages = (): readonly string[] =>
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('index.html'))
    .sort()

/** Every page, with each kind of answer that it has to an address: what holds on all pages is tried with each. */
export const ROUTES = [
  '/',
  '/device',
  '/method',
  '/reference',
  '/reference/links',
  '/record',
  '/check',
  '/lessons/sync-stalls/predict',
  '/lessons/async-submission/predict?steps=0',
  '/lessons/async-submission/see',
  '/lessons/async-submission/mend',
  '/lessons/kernel-ladder/mend',
  '/lessons/async-submission/change',
  '/lessons/async-submission/why',
  '/lessons/async-submission/instrument',
  '/lessons/read-a-profile/see',
  '/lessons/read-a-profile/find',
  '/lessons/read-a-profile/why',
  '/lessons/read-a-profile/own',
  '/run',
  '/run/sync-stalls',
  '/run/sync-stalls?steps=0',
  '/runs',
  '/compare',
  '/compare?a=recording:sync-stalls&b=recording:async-submission',
  '/find',
  '/find/3',
  '/trace',
  '/trace?recording=none',
  '/q',
  '/questions',
  '/q/item-is-slow',
  '/teachers',
  '/embed/sync-stalls/predict',
  '/embed/sync-stalls/see',
  '/embed/read-a-profile/predict',
  '/nowhere',
] as const
