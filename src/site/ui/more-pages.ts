/** Pages that most visitors never open, each loaded when first shown: their addresses cost the first page nothing. */
import { sitedPage } from './lazy-page'

export const check = sitedPage(() => import('./check/CheckPage'), 'CheckPage')
export const device = sitedPage(() => import('./device/DevicePage'), 'DevicePage')
export const embed = sitedPage(() => import('./embed/EmbedPage'), 'EmbedPage')
export const experiments = sitedPage(() => import('./run/RunListPage'), 'RunListPage')
export const framed = sitedPage(() => import('./NotFoundPage'), 'FramedPage')
export const method = sitedPage(() => import('./sections/SectionsPage'), 'MethodPage')
export const record = sitedPage(() => import('./record/RecordPage'), 'RecordPage')
export const reference = sitedPage(() => import('./sections/SectionsPage'), 'ReferencePage')
export const teachers = sitedPage(() => import('./teachers/TeachersPage'), 'TeachersPage')
export const unknown = sitedPage(() => import('./NotFoundPage'), 'UnknownPage')
