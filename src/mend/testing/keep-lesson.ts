/** For cli/keep-gradings.mjs: the recorded gradings of one lesson, with what its checks read. */
import { mendText } from '../../../cli/mend-files'
import { mendOf } from '../../lessons/mends'
import { allChecksOf } from '../mend'
import { keepGradings } from './kept-gradings'
import { rightPrograms, wrongPrograms } from './programs'
import { unpackRecorded } from './recorded-gradings'

/** @throws Error where a program is no longer there. */
export async function keepLesson(lesson: string, recorded: Uint8Array): Promise<Uint8Array> {
  const mend = await mendOf(lesson)
  const others = [...(await wrongPrograms(lesson)), ...(await rightPrograms(lesson))]
  return await keepGradings(unpackRecorded(recorded), async (name, evidence) => {
    const source =
      name === 'start' || name === 'reference'
        ? await mendText(lesson, name)
        : others.find((each) => each.name === name)?.source
    if (source === undefined) throw new Error(`${lesson} has no program '${name}'.`)
    allChecksOf(mend, source, evidence)
  })
}
