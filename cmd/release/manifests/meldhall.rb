# Homebrew: put this file into the folder Formula of a tap.
class Meldhall < Formula
  desc "Rummikub tournaments: tables, clocks, referees, standings"
  homepage "{{.URL}}"
  version "{{.Version}}"

  on_macos do
    on_arm do
      url "{{.Link "darwin_arm64" "tar.gz"}}"
      sha256 "{{.Sum "darwin_arm64" "tar.gz"}}"
    end
    on_intel do
      url "{{.Link "darwin_amd64" "tar.gz"}}"
      sha256 "{{.Sum "darwin_amd64" "tar.gz"}}"
    end
  end
  on_linux do
    on_arm do
      url "{{.Link "linux_arm64" "tar.gz"}}"
      sha256 "{{.Sum "linux_arm64" "tar.gz"}}"
    end
    on_intel do
      url "{{.Link "linux_amd64" "tar.gz"}}"
      sha256 "{{.Sum "linux_amd64" "tar.gz"}}"
    end
  end

  def install
    bin.install "meldhall"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/meldhall version")
  end
end
