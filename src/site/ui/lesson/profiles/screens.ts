/** The screens of a lesson of profiles. The first is the question; the others are loaded when they are asked for. */
import { lazyPage, type LazyPage } from '../../lazy-page'
import { PredictProfile } from './PredictProfile'
import type { ProfilesScreenProps } from './screen-props'

export type ProfilesScreen = 'predict' | 'see' | 'find' | 'why' | 'own'

export const profilesScreens: Readonly<Record<ProfilesScreen, LazyPage<ProfilesScreenProps>>> = {
  predict: { Page: PredictProfile, load: () => Promise.resolve() },
  see: lazyPage(async () => (await import('./SeeProfile')).SeeProfile),
  find: lazyPage(async () => (await import('./FindScreen')).FindScreen),
  why: lazyPage(async () => (await import('./WhyProfiles')).WhyProfiles),
  own: lazyPage(async () => (await import('./OwnScreen')).OwnScreen),
}
