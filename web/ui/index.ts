// What the first conversation needs. Fields, tabs and regions are imported from their own files: the first chunk holds every
// file that is named here.
export { Avatar, AvatarPair, type Face, FaceStack } from './avatar.tsx';
export { Button, FoldButton, IconButton, LinkButton, SplitButton, withAnchor } from './button.tsx';
export { Dialog, useModal } from './dialog.tsx';
export { Heights } from './heights.ts';
export { Icon } from './icon.tsx';
export type { IconName } from './icons.ts';
export { Chip, Count, Keys, PresenceDot, Tag } from './marks.tsx';
export { Menu, type MenuItem, MenuList } from './menu.tsx';
export { Banner, EmptyView, ListSkeleton, MessageSkeleton, type ToastContent, Toasts } from './notices.tsx';
export { onceDrawn } from './once-drawn.ts';
export { Popover } from './popover.tsx';
export { Mark, PerchedRook } from './rook.tsx';
export { useRoving } from './roving.ts';
export { VirtualList, type VirtualListHandle } from './virtual-list.tsx';
