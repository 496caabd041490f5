import type { Post } from '../../outgoing/post.ts'
import { defineService } from '../service.ts'

/** How requests leave this server. */
export const postOf = defineService<Post>('way out')
