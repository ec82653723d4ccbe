import type { Page } from '#kernel/endpoint';
import { confirmPage, registerPage } from './invited.ts';
import { linkPage } from './link.ts';
import { signUpPage } from './sign-up.ts';

export const invitationPages: readonly Page[] = [confirmPage, registerPage, linkPage, signUpPage];
