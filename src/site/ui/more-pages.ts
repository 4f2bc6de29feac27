/** Pages that most visitors never open, each loaded when first shown: their addresses cost the first page nothing. */
import { sitedPage } from './lazy-page'

export const check = sitedPage(
  () => import('./check/CheckPage'),
  (each) => each.CheckPage,
)
export const compare = sitedPage(
  () => import('./compare/ComparePage'),
  (each) => each.ComparePage,
)
export const device = sitedPage(
  () => import('./device/DevicePage'),
  (each) => each.DevicePage,
)
export const embed = sitedPage(
  () => import('./embed/EmbedPage'),
  (each) => each.EmbedPage,
)
export const experiments = sitedPage(
  () => import('./run/RunListPage'),
  (each) => each.RunListPage,
)
export const framed = sitedPage(
  () => import('./embed/FramedPage'),
  (each) => each.FramedPage,
)
export const method = sitedPage(
  () => import('./sections/MethodPage'),
  (each) => each.MethodPage,
)
export const record = sitedPage(
  () => import('./record/RecordPage'),
  (each) => each.RecordPage,
)
export const reference = sitedPage(
  () => import('./sections/ReferencePage'),
  (each) => each.ReferencePage,
)
export const runs = sitedPage(
  () => import('./runs/RunsPage'),
  (each) => each.RunsPage,
)
export const teachers = sitedPage(
  () => import('./teachers/TeachersPage'),
  (each) => each.TeachersPage,
)
export const unknown = sitedPage(
  () => import('./NotFoundPage'),
  (each) => each.UnknownPage,
)
