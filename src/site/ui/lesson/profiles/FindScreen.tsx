/** Six profiles under neutral names, in an order by chance: what the instrument shows of each, and the script in which its fault is to be found. */
import { Suspense, useEffect, useMemo, useState } from 'react'
import type { FaultyProfile } from '../../../../lessons/lesson'
import type { Find } from '../../../state/lesson-store'
import { notFirst, orderOf } from '../../../state/find-day'
import { addressOf, lessonRoute } from '../../../state/url'
import { FaultNotice } from '../../FaultNotice'
import { formatCount } from '../../format'
import { useLab } from '../../lab-context'
import { Cards } from '../Cards'
import { SCREEN_START } from '../use-screen-focus'
import { FindProfile } from './FindProfile'
import type { ProfilesScreenProps } from './screen-props'
import { useReadProfile } from './use-read-profile'

export const NO_CLICKS: Find = { clicks: [], found: false }

/** 'found with 2 clicks'; '' before the first click. */
export function findInWords({ clicks, found }: Find): string {
  if (clicks.length === 0) return ''
  return found ? `found with ${formatCount(clicks.length, 'click')}` : formatCount(clicks.length, 'click')
}

/** The profiles in this visitor's order. */
function useOrder(props: Pick<ProfilesScreenProps, 'lesson' | 'progress'>): readonly FaultyProfile[] {
  const { lesson, progress } = props
  const { lessons } = useLab()
  const { order: kept } = progress
  const [order] = useState(() =>
    notFirst(
      orderOf(
        kept ?? [],
        lesson.profiles.map(({ recording }) => recording),
      ),
      lesson.shown.recording,
    ),
  )
  useEffect(() => {
    if (kept?.join() !== order.join()) lessons.keep(lesson.id, { order })
  }, [lessons, lesson, kept, order])
  return useMemo(
    () => order.flatMap((id) => lesson.profiles.find(({ recording }) => recording === id) ?? []),
    [order, lesson],
  )
}

export const FindScreen = (props: ProfilesScreenProps) => {
  const { lesson, progress, step } = props
  const profiles = useOrder(props)
  const finds = progress.finds ?? {}
  const findOf = ({ recording }: FaultyProfile): Find => finds[recording] ?? NO_CLICKS
  const asked = Number(step) - 1
  const next = profiles.findIndex((profile) => !findOf(profile).found)
  // The address names one; without it the first that was not found when the screen opened.
  const [first] = useState(Math.max(0, next))
  const at = profiles[asked] ? asked : first
  const profile = profiles[at]
  const reading = useReadProfile(profile?.recording ?? null)
  const routeOf = (index: number) => lessonRoute(lesson.id, 'find', String(index + 1))
  const following = profiles.findIndex((each, index) => index > at && !findOf(each).found)
  const remaining =
    following < 0 ? profiles.findIndex((each, index) => index < at && !findOf(each).found) : following
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
                <span className="small quiet regular">{findInWords(findOf(each)) || 'not tried yet'}</span>
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
      {profile && reading.value && (
        <Suspense fallback={<p className="loading">Loading the script.</p>}>
          <FindProfile
            key={profile.recording}
            lesson={lesson}
            number={at + 1}
            script={profile.script}
            profile={reading.value}
            find={findOf(profile)}
            next={remaining < 0 ? null : { number: remaining + 1, route: routeOf(remaining) }}
          />
        </Suspense>
      )}
      {reading.fault && <FaultNotice fault={reading.fault} />}
      {profile && !reading.value && !reading.fault && (
        <p className="loading" role="status" {...SCREEN_START}>
          Reading profile {at + 1}.
        </p>
      )}
    </div>
  )
}
