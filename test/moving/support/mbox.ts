import type { Contents } from './imported.ts';

/** Mails of two lists as RFC 4155 and RFC 5322 have them, with people we made up. */
const MAILS = `From wanda@birds.test Wed May  1 08:00:00 2024
From: Wanda Wren <wanda@birds.test>
To: nests@lists.birds.test
List-Id: About nests <nests.lists.birds.test>
Subject: [nests] Where do we breed?
Message-ID: <1@birds.test>
Date: Wed, 1 May 2024 08:00:00 +0000
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

B=E4ume, I think.
>From here it looks good.

From felix@birds.test Wed May  1 10:00:00 2024
From: =?utf-8?q?Felix_F=C3=ADnch?= <Felix@birds.test>
List-Id: <nests.lists.birds.test>
Subject: Re: AW: something else now
Message-ID: <3@birds.test>
In-Reply-To: <2@birds.test>
References: <1@birds.test> <2@birds.test>
Date: Wed, 1 May 2024 12:00:00 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=edge

--edge
Content-Type: text/html; charset=utf-8

<style>p {}</style><p>Here &amp; <b>there</b></p><script>alert(1)</script><p>so</p>
--edge
Content-Type: text/plain; name=map.txt
Content-Disposition: attachment; filename=map.txt
Content-Transfer-Encoding: base64

dGhyZWUgdHJlZXM=
--edge--

From gina@birds.test Wed May  1 09:00:00 2024
From: gina@birds.test
List-Id: <nests.lists.birds.test>
Subject: Re: [nests] Where do we breed?
Message-ID: <2@birds.test>
In-Reply-To: <1@birds.test>
Date: Wed, 1 May 2024 09:00:00 +0000

> Where?
Here.

From nobody@birds.test Wed May  1 09:30:00 2024
From: nobody@birds.test
Subject: no time

lost
`;

const MONTH = `From wanda at birds.test  Wed May  1 11:00:00 2024
From: wanda at birds.test (Wanda Wren)
Date: Wed, 01 May 2024 11:00:00 +0000
Subject: [old] Hello
Message-ID: <9@birds.test>

An old mail.
`;

export const mboxArchive: Contents = { 'nests.mbox': MAILS, '2024-May.txt': MONTH, README: 'hello' };
