/** The worked examples of the documents, as they print them. */
import type { Step } from "../../support/terminal.ts";

export interface Dialogue {
  readonly url: string;
  readonly text: string;
  /** The document allows this command or another order (3.2.3 (4d)): we try the file first. */
  readonly leftOut?: string;
  readonly answers?: readonly Step[];
  readonly status?: number;
  readonly shows?: string;
}

export const dialogues: Record<string, Dialogue> = {
  "P6 a directory from the root, by typecode": {
    url: "ftp://example.com:49557/%2Fsomedir/seconddir;type=d",
    text: `
      S> 220 ExampleFTP Server ready
      C> HOST example.com
      S> 220 Host accepted
      C> USER anonymous
      S> 331 Anonymous permitted; supply email as password
      C> PASS bad-guy@example.com
      S> 230 Logged in
      C> CWD /somedir
      S> 250 Directory changed
      C> PASV
      S> 227 Entering Passive Mode (192,0,2,12,52,453)
      C> NLST seconddir
      S> 150 Here comes the directory listing
      S> 226 Directory listing sent`,
    shows: "data",
  },
  "P8 a file or a directory, and a query": {
    url: "ftp://fellow:bad-guy@203.0.113.42/%2Fetc/motd?some=thing",
    text: `
      S> 220 CoolFTP Server Ready
      C> HOST 203.0.113.42
      S> 220 Host OK
      C> USER fellow
      S> 331 Specify password
      C> PASS bad-guy
      S> 230 Congrats! Logged in
      C> CWD /etc
      S> 250 Directory changed
      C> PASV
      S> 227 Passive entered (203,0,113,42,61,853)
      C> LIST motd
      S> 550 No such directory
      C> RETR motd
      S> 150 Transfer starts...
      S> 226 File is sent`,
    leftOut: "LIST motd",
    shows: "data",
  },
  "S7 credentials that are invalid": {
    url: "ftp://user1:invalid-pass@example.net:4916/;type=d",
    text: `
      S> 220 GigaSoft FTP - welcome
      C> HOST example.net
      S> 220 Why not :-)
      C> USER user1
      S> 331 Mention password
      C> PASS invalid-pass
      S> 530 Invalid credentials
      C> USER right-user
      S> 331 Mention password
      C> PASS right-pass
      S> 230 right-user is a cool guy
      C> FEAT
      S> 211-Here the listing comes
      S>  AUTH TLS
      S>  TYPE a;u
      S>  MLST
      S> 211 End
      C> PASV
      S> 227 Passive opened on (198,51,100,41,55,623)
      C> MLSD
      S> 150 Here comes the directory listing
      S> 226 Directory listing sent`,
    answers: [
      {
        expect: "Password for user1 at example.net (leave it empty to give another user)",
        send: "\r",
      },
      { expect: "User at example.net", send: "right-user\r" },
      { expect: "Password for right-user at example.net", send: "right-pass\r" },
    ],
    shows: "data",
  },
  "U12 percent-encoded ? and #, and a fragment": {
    url: "ftp://example.org/%3Ffoo/%23bar/file.txt;type=a#char=500",
    text: `
      S> 220 Hello
      C> HOST example.org
      S> 220 OK
      C> USER anonymous
      S> 230 No pass required
      C> CWD ?foo
      S> 250 Directory changed
      C> CWD #bar
      S> 250 Directory changed
      C> TYPE a
      S> 200 Accepted
      C> PORT 198,51,100,2,65,123
      S> 200 Accepted
      C> RETR file.txt
      S> 150 Start transmission
      S> 226 File sent`,
    shows: "data",
  },
  "S2 S7 P3 many refusals": {
    url: "ftp://oh-no@example.org:7634/foo//bar/foobar/bad-file.doc;type=u",
    text: `
      S> 220 Yevstifeyev FTP ready
      C> HOST example.org
      S> 504 Unknown host
      C> USER oh-no
      S> 331 Supply password
      C> PASS some-pass
      S> 530 Invalid credentials
      C> USER cool-man
      S> 331 Supply password
      C> PASS cool-pass
      S> 230 Authenticated
      C> CWD foo
      S> 250 foo is an active directory
      C> CWD bar
      S> 250 foo/bar is an active directory
      C> CWD foobar
      S> 250 foo/bar/foobar is an active directory
      C> TYPE u
      S> 504 U TYPE not supported
      C> PORT 192,0,2,14,64,695
      S> 200 Accepted
      C> RETR bad-file.doc
      S> 550 No such file :-(`,
    answers: [
      { expect: "Password for oh-no at example.org", send: "some-pass\r" },
      {
        expect: "Password for oh-no at example.org (leave it empty to give another user)",
        send: "\r",
      },
      { expect: "User at example.org", send: "cool-man\r" },
      { expect: "Password for cool-man at example.org", send: "cool-pass\r" },
    ],
    status: 8,
    shows: 'server replied 550 "No such file :-("',
  },
  "U6 U15 an IRI": {
    url: "ftp://\u0109at.example.com/weather/\u2603/snow.txt",
    text: `
      S> 200 Hi, man!
      C> HOST xn--at-0la.example.com
      S> 220 That's OK.
      C> USER anonymous
      S> 331 Supply password
      C> PASS foo@example.org
      S> 230 Logged in
      C> FEAT
      S> 211-Features listing goes now
      S>  MLST
      S>  UTF8
      S>  NAT6
      S> 211 End
      C> CWD weather
      S> 250 Working directory changed
      C> CWD {e2.98.83}
      S> 250 Working directory changed
      C> PORT 198,51,100,20,49,562
      S> 200 Data connection aranged
      C> RETR snow.txt
      S> 150 Start transmission
      S> 226 File sent`,
    shows: "data",
  },
  "U6 U15 a URI with characters beyond ASCII": {
    url: "ftp://%C4%A5ost.example.com/music/%F0%9D%84%A0/clef.pdf",
    text: `
      S> 200 Welcome
      C> HOST xn--ost-4sa.example.com
      S> 220 Accepted
      C> USER anonymous
      S> 230 No pass required
      C> FEAT
      S> 211-Listing comes here
      S>  LANG EN*
      S>  TYPE a;e;u
      S>  UTF8
      S>  REST STREAM
      S>  MLST
      S> 211 End
      C> CWD music
      S> 250 Directory changed
      C> CWD {f0.9d.84.a0}
      S> 250 Directory changed
      C> PASV
      S> 227 Entering passive (203,0,113,16,52,458)
      C> RETR clef.pdf
      S> 150 Start transmission
      S> 226 File sent`,
    shows: "data",
  },
};
