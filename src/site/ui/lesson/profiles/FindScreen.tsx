/** Six profiles under neutral names, and the lines that may be to blame for each. */
import { useState } from 'react'
import { NO_LINE, type FaultyProfile } from '../../../../lessons/lesson'
import { findRecording } from '../../import/recordings'
import { foundWords, noLineWords } from '../../../state/find-day'
import type { Find } from '../../../state/lesson-store'
import { attributedTo, callKey, evidenceWords, faultIn } from '../../../state/profile-answer'
import { addressOf, lessonRoute } from '../../../state/url'
import { Game, UNTRIED } from '../../find/Game'
import { formatCount } from '../../format'
import { useLab } from '../../lab-context'
import { Inline, Words } from '../../prose/Inline'
import { Cards } from '../Cards'
import type { ProfilesScreenProps } from '../use-lesson'

function stateWords({ clicks, found }: Find): string {
  if (clicks.length === 0) return 'not tried yet'
  return found ? foundWords(clicks.length) : formatCount(clicks.length, 'click')
}

export const FindScreen = ({ lesson, progress, step }: ProfilesScreenProps) => {
  const { lessons } = useLab()
  const { profiles } = lesson
  const finds = progress.finds ?? {}
  const findOf = ({ recording }: FaultyProfile): Find => finds[recording] ?? UNTRIED
  const asked = Number(step) - 1
  const next = profiles.findIndex((profile) => !findOf(profile).found)
  // The address names one; without it the first that was not found when the screen opened.
  const [first] = useState(Math.max(0, next))
  const at = profiles[asked] ? asked : first
  const profile = profiles[at]
  const suspects = (profile && lesson.suspects[profile.script]) ?? []
  const routeOf = (index: number) => lessonRoute(lesson.id, 'find', String(index + 1))
  /** The next that was not found, behind this one or from the first on. */
  const remaining = profiles
    .map((_, index) => (at + 1 + index) % profiles.length)
    .find((index) => index !== at && profiles[index] && !findOf(profiles[index]).found)
  return (
    <div className="find shrinks top stack-12">
      <nav className="find-profiles no-print" aria-label="Profiles">
        <ol>
          {profiles.map((each, index) => (
            <li key={each.recording}>
              <a
                href={addressOf(routeOf(index))}
                aria-current={index === at ? 'page' : undefined}
                data-found={findOf(each).found || undefined}
              >
                Profile {index + 1}
                <span className="small quiet regular">{stateWords(findOf(each))}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {at === 0 && (
        <section className="stack-8" aria-labelledby="how-to-read">
          <h2 id="how-to-read">How to read a profile</h2>
          <Cards cards={lesson.inPyTorch.slice(0, 1)} />
        </section>
      )}
      {profile && (
        <Game
          key={profile.recording}
          title={`Profile ${String(at + 1)}`}
          recording={profile.recording}
          isOfRanks={(findRecording(profile.recording)?.files.length ?? 1) > 1}
          lines={suspects.flatMap(({ name, code }) => (code === '' ? [] : [{ place: name, code }]))}
          note={
            <>
              All are lines from <a href={`./companion/${profile.script}`}>{profile.script}</a>, which has
              every fault. The profile shows which of them ran.
            </>
          }
          find={findOf(profile)}
          rightIn={(read) => faultIn(read).line?.name ?? NO_LINE}
          wrong={(place, read) => (
            <>
              <Inline text={suspects.find(({ name }) => name === place)?.words ?? ''} />{' '}
              <Words
                text={
                  place === NO_LINE
                    ? noLineWords(read.found.diagnoses)
                    : evidenceWords(
                        read.calls.get(callKey(profile.script, place)),
                        attributedTo(read, profile.script, place),
                      )
                }
              />
            </>
          )}
          onPress={(place, isRight) => lessons.click(lesson.id, profile.recording, place, isRight)}
          foundAt="This is it"
          then={
            remaining !== undefined && (
              <p className="button-row no-print">
                <a className="button button-main button-small" href={addressOf(routeOf(remaining))}>
                  Profile {remaining + 1}
                </a>
              </p>
            )
          }
        />
      )}
    </div>
  )
}
